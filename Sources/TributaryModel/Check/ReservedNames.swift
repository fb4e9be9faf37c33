/// Names that are reserved for the store.
package enum ReservedNames {
    /// Whether a column with this name belongs to the store in every model.
    package static func isColumn(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return ["_pk", "_version", "_entity"].contains(name) || name.hasPrefix("_order.")
    }

    /// Whether a table with this name would hide an SQL function that the store calls, or a pragma of SQLite.
    package static func isFunction(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return ["json_each", "json_tree"].contains(name) || name.hasPrefix("pragma_")
    }
}

extension String {
    /// The text with only the letters A to Z in lower case, as SQLite compares names.
    package var lowercasedASCII: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
