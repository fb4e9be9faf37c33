extension Connection {
    /// The names of the tables with a unique index that is none of a model: it may refuse any row.
    package func tablesWithUniqueIndexes() throws -> Set<String> {
        Set(
            try texts(
                of: """
                    SELECT DISTINCT t."name" FROM sqlite_master AS t, pragma_index_list(t."name") AS i
                    WHERE t."type" = 'table' AND i."unique" AND i."origin" <> 'pk' AND i."name" NOT GLOB '_unique.*'
                    """))
    }

    /// Whether a table has such an index.
    package func hasUniqueIndex(of table: String) throws -> Bool {
        try hasRows(
            """
            SELECT 1 FROM pragma_index_list(\(table)) WHERE "unique" AND "origin" <> 'pk' AND "name" NOT GLOB '_unique.*'
            """)
    }
}
