import Foundation
import Tributary

/// A member of a club: a class is an entity of the model, and its objects are rows of the table `Member`.
final class Member: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String
    @Attribute var joined: Date?
}

/// Imports members from a dump, and prints the newest of them first.
@main
struct Template {
    @MainActor
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 2 else {
            print("usage: Template DATABASE DUMP")
            exit(64)
        }
        do {
            let manager = try open(.sqlite(words[0]))
            defer { manager.close() }
            let summary = try await load(.file(words[1]), into: manager)
            print("\(summary.read) read, \(summary.inserted) inserted, \(summary.updated) updated")
            for member in try latest(in: manager.mainContext) { print(member.name) }
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    /// Opens a database, which is made if it does not exist.
    static func open(_ store: StoreLocation) throws -> ContextManager {
        try ContextManager(model: Model(Member.self), store: store)
    }

    /// Imports a dump: a record with the id of a member changes it, any other inserts a new one.
    static func load(_ dump: some ByteSource, into manager: ContextManager) async throws -> ImportSummary {
        let members = ImportOperation<Member>(into: manager, from: dump, key: \.id) { record, member in
            member.name = try record.require("name")
            member.joined = try record.date("joined", format: .iso8601)
        }
        try await members.run()
        return members.summary
    }

    /// The members whose date is known, those who have joined last first.
    @MainActor
    static func latest(in context: ManagedObjectContext) throws -> [Member] {
        try Member.fetch(in: context, where: "joined != nil", sort: [SortKey("joined", ascending: false)])
    }
}
