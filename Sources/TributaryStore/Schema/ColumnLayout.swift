/// A column of an entity's table.
package struct ColumnLayout: Sendable, Hashable {
    /// The declared type of a column.
    enum Storage: String, Sendable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case blob = "BLOB"
        /// No type; each value is stored unchanged.
        case any = ""
    }

    /// The name of the column.
    package let name: String
    let storage: Storage
    /// The table of the rows that its values refer to, if a foreign key requires that they exist.
    var reference: String?
}

extension AttributeType {
    /// The declared type of a column for these values, which any tool can read.
    var storage: ColumnLayout.Storage {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float, .date: .real
        case .decimal, .string, .uuid, .uri, .json: .text
        case .binary, .transformable, .objectID: .blob
        case .undefined: .any
        }
    }
}

extension AttributeDescription {
    /// The declared type of the column: that of the type, or for an inferred attribute that of its values.
    var storage: ColumnLayout.Storage { type == .undefined ? valueKinds.storage : type.storage }
}

extension ValueKinds {
    /// The declared type of a column for these values, in which SQLite changes none of them.
    var storage: ColumnLayout.Storage {
        if isEmpty || isMixed { return .any }
        if contains(.text) { return .text }
        return contains(.real) ? .real : .integer
    }
}
