import TributarySQLite

extension SQLFragment {
    /// A query for keys, for use after IN.
    ///
    /// The keys are one bound value, so that the SQL does not depend on their number and no limit on values applies.
    static func query(for keys: some Sequence<Int64>) -> SQLFragment {
        "SELECT \"_k\".value FROM json_each(\("[" + keys.map(String.init).joined(separator: ",") + "]")) AS \"_k\""
    }
}
