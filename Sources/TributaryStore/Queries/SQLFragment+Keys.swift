import TributarySQLite

extension SQLFragment {
    /// A query for keys, for use after IN.
    ///
    /// The keys are one bound value, so that the SQL does not depend on their number and no limit on values applies.
    static func query(for keys: some Sequence<Int64>) -> SQLFragment {
        var json = "["
        json.reserveCapacity(keys.underestimatedCount * 8)
        for key in keys {
            if json.utf8.count > 1 { json += "," }
            json += String(key)
        }
        json += "]"
        return "SELECT \"_k\".value FROM json_each(\(json)) AS \"_k\""
    }
}
