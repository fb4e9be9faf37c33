import Foundation
import Testing
import TributaryGraph

#if os(Linux)
    import Glibc

    /// The memory that a fetched object uses, apart from long texts.
    @Suite struct ObjectMemoryTests {
        /// A model of its own, because the memory of its twelve attributes is measured.
        final class Parcel: ManagedObject {
            @Attribute var id: Int
            @Attribute var age: Int?
            @Attribute var rank: Int?
            @Attribute var score: Int?
            @Attribute var balance: Double?
            @Attribute var weight: Double?
            @Attribute var name: String?
            @Attribute var email: String?
            @Attribute var city: String?
            @Attribute var street: String?
            @Attribute var zip: String?
            @Attribute var note: String?
        }

        private static let count = 200_000

        private static func manager(of process: Int32) throws -> ContextManager {
            let folder = FileManager.default.temporaryDirectory
            let path = folder.appending(path: "tributary-memory-\(process).sqlite").path
            return try ContextManager(model: Model(Parcel.self), store: .sqlite(path))
        }

        private static var residentBytes: Int {
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
        }

        @MainActor @Test("A fetched object with twelve attributes uses at most 350 bytes")
        func aFetchedObjectTakesLittle() async throws {
            let manager = try Self.manager(of: getpid())
            defer {
                manager.close()
                for name in manager.storeNames { _ = try? ContextManager.erase(.sqlite(name)) }
            }
            try manager.writeAndWait { context in
                for number in 0..<Self.count {
                    let parcel = context.insert(Parcel.self)
                    (parcel.id, parcel.age, parcel.balance) = (number, number & 127, Double(number))
                    (parcel.name, parcel.city, parcel.zip) = ("a short name", "Somewhere", "12345")
                }
            }
            // In a separate process, no other test allocates memory meanwhile.
            await #expect(processExitsWith: .success) {
                try Self.manager(of: getppid()).newPrivateContext().performAndWait { context in
                    // A first fetch allocates everything that is needed only once.
                    _ = try Parcel.fetch(in: context, where: "id < 2000")
                    let before = Self.residentBytes
                    let parcels = try Parcel.all(in: context)
                    // The result array is not part of the objects; its capacity may be twice its count.
                    let each = (Self.residentBytes - before) / Self.count - 2 * MemoryLayout<Parcel>.size
                    precondition(parcels.count == Self.count && each <= 350, "an object takes \(each) bytes")
                }
            }
        }
    }
#endif
