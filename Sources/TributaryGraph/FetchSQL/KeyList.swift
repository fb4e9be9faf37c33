import TributarySQLite

/// Any number of keys as one bound value: the text of the statement stays the same, and no limit on values is met.
struct KeyList {
    private let keys: [Int64]
    /// Whether a table of the model is called as the function is, and hides it.
    private let isHidden: Bool

    init(_ keys: some Sequence<Int64>, in schema: Schema) {
        self.keys = Array(keys)
        isHidden = schema.tables.contains { $0.name.lowercasedASCII == "json_each" }
    }

    /// A query for the keys, to stand behind IN.
    var query: SQLFragment { isHidden ? unrolled : "SELECT \"_k\".value FROM json_each(\(json)) AS \"_k\"" }

    private var json: String {
        var text = "["
        text.reserveCapacity(keys.count * 8)
        for key in keys {
            if text.utf8.count > 1 { text += "," }
            text += String(key)
        }
        return text + "]"
    }

    /// The keys cut from bytes in which each takes 20.
    private var unrolled: SQLFragment {
        let width = 20
        var bytes: [UInt8] = []
        bytes.reserveCapacity(keys.count * width)
        for key in keys {
            let digits = String(key).utf8
            bytes += repeatElement(UInt8(ascii: " "), count: width - digits.count)
            bytes += digits
        }
        var sql: SQLFragment = "WITH RECURSIVE \"_i\" (at) AS (SELECT 1 WHERE \(bytes.count) > 0 UNION ALL"
        sql += " SELECT at + \(width) FROM \"_i\" WHERE at + \(width) < \(bytes.count))"
        return sql + " SELECT CAST(CAST(substr(\(bytes), at, \(width)) AS TEXT) AS INTEGER) FROM \"_i\""
    }
}
