/// Names that are reserved for the store.
package enum ReservedNames {
    /// Whether a column with this name belongs to the store in every model.
    package static func isColumn(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return ["_pk", "_version", "_entity"].contains(name) || name.hasPrefix("_order.")
    }

    /// Whether a table with this name would hide an SQL function that the store calls.
    package static func isFunction(_ name: String) -> Bool { name.lowercasedASCII == "json_each" }
}

extension String {
    /// The text with only the letters A to Z in lower case, as SQLite compares names.
    package var lowercasedASCII: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
