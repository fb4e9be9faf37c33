import TributaryStore
import TributaryJSON

/// The members of a record without a column of their own.
enum RestMembers {
    /// Adds members to the last row as one JSON object; of members with one name it has the last.
    static func add(
        _ members: [(name: String, value: JSON)], to batch: RowBatch, unwraps: Bool, _ scratch: inout [UInt8]
    ) {
        var last: [[UInt8]: Int] = [:]
        for (index, member) in members.enumerated() { last[Array(member.name.utf8)] = index }
        var writer = JSONLineWriter()
        for (index, member) in members.enumerated() where last[Array(member.name.utf8)] == index {
            ExtendedJSON.withBytes(member.value, unwraps: unwraps, &scratch) { writer.add(member.name, json: $0) }
        }
        // The writer ends a line with a line feed, which is no part of the value.
        writer.finish().dropLast().withUnsafeBytes { batch.add(text: $0) }
    }
}
