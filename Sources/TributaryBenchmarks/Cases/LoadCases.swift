import CTributaryTwins
import TributaryGraph
import TributarySQLite

/// Cases for tables whose pages are written without SQLite.
enum LoadCases {
    static let all: [BenchmarkCase] = [
        BenchmarkCase("load/table", load, "C pages") { twin_load($0.store("twin-load", isNew: true), $0.count) }
    ]

    private static let columns = [
        "id", "age", "rank", "score", "balance", "weight", "name", "email", "city", "street", "zip", "note",
    ]
    private static let texts: [StaticString] = [
        "a short name", "a@example.org", "Somewhere", "First Street", "12345", "nothing",
    ]

    /// Writes the same rows as the C twin, with the same unique index.
    private static func load(_ workload: Workload) throws -> BenchmarkResult {
        let path = workload.store("load", isNew: true)
        let connection = try Connection(.memory)
        try connection.execute("PRAGMA page_size = 8192")
        try connection.execute(
            """
            CREATE TABLE "Customer" ("_pk" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL DEFAULT 1,
                "id" INTEGER, "age" INTEGER, "rank" INTEGER, "score" INTEGER, "balance" REAL, "weight" REAL,
                "name" TEXT, "email" TEXT, "city" TEXT, "street" TEXT, "zip" TEXT, "note" TEXT)
            """)
        try connection.execute("CREATE UNIQUE INDEX \"Customer_id\" ON \"Customer\" (\"id\")")
        guard let layout = try LoadLayout("Customer", columns: columns, on: connection) else {
            throw Problem("the table cannot be written directly")
        }
        let load = try TableLoad(layout, creating: path, like: connection, sortBytes: 256 << 20)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: columns.count)
        defer { cells.deallocate() }
        for (index, text) in texts.enumerated() {
            cells[6 + index] = SQLCell(
                text: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        var result = BenchmarkResult()
        for number in 0..<workload.count {
            let key = number ^ 0x5A5A5
            cells[0] = SQLCell(Int64(key))
            cells[1] = SQLCell(Int64(number & 127))
            cells[2] = SQLCell(Int64(number >> 3))
            cells[3] = SQLCell(Int64(-number))
            cells[4] = SQLCell(Double(number) * 0.5)
            cells[5] = SQLCell(Double(number) * 0.25)
            try load.add(Int64(number + 1), UnsafeBufferPointer(cells))
            result.records += 1
            result.checksum &+= key
        }
        try load.finish()
        return result
    }
}
