import TributaryModel

/// The names of the columns of members, and of their attributes.
///
///     id, ID → columns id, ID; attributes id, ID (2)     "" → _811c9dc5     a name of 80 bytes → 54 bytes and a hash
///
/// PostgreSQL distinguishes names that differ in case only, a model does not. What cannot be the name of a column becomes
/// another one that depends on the member alone, so that later dumps find it.
struct ColumnNames {
    private let table: PostgresTable?
    /// The names that members have.
    private let taken: Set<String>
    /// The columns of members.
    private var known: [String: String] = [:]
    /// For each attribute its column.
    private(set) var columns: [String: String] = [:]
    private var attributes: [String: String] = [:]
    private var folded: Set<String> = []
    /// For each column whose name cannot be that of its member, the member.
    private(set) var renamed: [String: String] = [:]

    init(_ table: PostgresTable?, members: [String]) {
        self.table = table
        taken = Set(members)
    }

    /// The column of a member: of its name, or of its name in another case if no other member has that column.
    mutating func column(of member: String) -> String {
        if let name = known[member] { return name }
        var name = ColumnNames.possible(member)
        if name != member { renamed[name] = member }
        if let other = table?.column(name)?.name, !taken.contains(other), !known.values.contains(other) { name = other }
        known[member] = name
        return name
    }

    /// The attribute of a column.
    mutating func attribute(of column: String) -> String {
        if let name = attributes[column] { return name }
        var (name, number) = (column, 1)
        while ReservedNames.isColumn(name) || !folded.insert(name.lowercased()).inserted {
            number += 1
            name = "\(column) (\(number))"
        }
        attributes[column] = name
        columns[name] = column
        return name
    }

    private static func possible(_ member: String) -> String {
        let isPossible = 1...PostgresSQL.longestName ~= member.utf8.count && !member.utf8.contains(0)
        guard !isPossible else { return member }
        // The FNV-1a hash.
        let hash = member.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        let suffix = "_" + String(repeating: "0", count: 8 - digits.count) + digits
        var start = ""
        for scalar in member.unicodeScalars where scalar != "\0" {
            guard start.utf8.count + UTF8.width(scalar) + suffix.count <= PostgresSQL.longestName else { break }
            start.unicodeScalars.append(scalar)
        }
        return start + suffix
    }
}
