import TributarySQLite

/// A list of keys as one bound value, so that the SQL does not depend on their number and no limit on values applies.
struct KeyList {
    private let keys: [Int64]

    init(_ keys: some Sequence<Int64>) { self.keys = Array(keys) }

    /// A query for the keys, for use after IN.
    var query: SQLFragment { "SELECT \"_k\".value FROM json_each(\(json)) AS \"_k\"" }

    private var json: String {
        var text = "["
        text.reserveCapacity(keys.count * 8)
        for key in keys {
            if text.utf8.count > 1 { text += "," }
            text += String(key)
        }
        return text + "]"
    }
}
