/// Names that stores keep for themselves.
package enum ReservedNames {
    /// Whether a column of this name belongs to the store, whatever the model says.
    package static func isColumn(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        return ["_pk", "_version", "_entity"].contains(name) || name.hasPrefix("_order.")
    }

    /// Whether a table of this name would hide a function that the store calls.
    static func isFunction(_ name: String) -> Bool { name.lowercasedASCII == "json_each" }
}

extension String {
    /// The text with the letters A to Z made small, as SQLite compares names.
    package var lowercasedASCII: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
