public import TributaryGraph
public import TributaryImport

extension KeyOffer {
    /// Searches a table with inferred columns.
    ///
    /// Only columns with a name that promises a key are compared; others may be unique by accident.
    ///
    /// - Returns: nil if there is none, the table has a key, or has more than 100,000 rows.
    /// - Throws: `SQLiteError` if the database cannot be read.
    public static func find(in entity: String, of manager: ContextManager) throws -> KeyOffer? {
        try find(in: entity, of: manager.stores.stores[0])
    }
}
