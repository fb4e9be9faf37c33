import Foundation

/// The rejects of the lines of a retry, in a file, until a transaction resolves them.
///
/// `@unchecked Sendable`: only the thread that writes uses it.
package final class PendingRejects: @unchecked Sendable {
    /// The reject of a line.
    package struct Line: Sendable {
        /// The ID of the reject; 0 if it has no row in the store.
        package let id: Int64
        /// The bytes of the record, if they differ from those in the store.
        package let edited: [UInt8]?

        /// Appends the bytes of the line in the file: the ID, the number of edited bytes or -1, and these bytes.
        func append(to bytes: inout [UInt8]) {
            for number in [id, Int64(edited?.count ?? -1)] { withUnsafeBytes(of: number) { bytes += $0 } }
            bytes += edited ?? []
        }
    }

    private let path: String
    private var file: FileHandle?
    /// The number of the next line.
    private var next = 1

    /// The rejects in the file at a path.
    init(at path: String) { self.path = path }

    /// Reads the lines of the next chunk, up to its last one, and returns them with their numbers.
    package func dequeue(through last: Int) throws -> [(number: Int, line: Line)] {
        let file = try file ?? FileHandle(forReadingFrom: URL(filePath: path))
        self.file = file
        var lines: [(Int, Line)] = []
        while next <= last, let head = try file.read(upToCount: 16), head.count == 16 {
            let (id, count) = head.withUnsafeBytes {
                ($0.loadUnaligned(as: Int64.self), Int($0.loadUnaligned(fromByteOffset: 8, as: Int64.self)))
            }
            let edited = count > 0 ? try file.read(upToCount: count).map { Array($0) } : count == 0 ? [] : nil
            lines.append((next, Line(id: id, edited: edited)))
            next += 1
        }
        return lines
    }
}
