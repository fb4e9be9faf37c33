import Testing
import TributaryPostgres
import TributaryTestSupport

/// COPY in both directions.
@Suite struct PostgresCopyTests {
    let connection: PostgresConnection

    init() throws {
        connection = try PostgresConnection(PostgresServer.shared().newSchema(), role: "test")
        try connection.execute("CREATE TABLE t (x bigint, s text)")
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian, Array.init)
    }

    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0] + bigEndian(Int64(0))
    private static let trailer = bigEndian(Int16(-1))

    private static func row(_ number: Int64, _ text: String?) -> [UInt8] {
        let text = text.map { bigEndian(Int32($0.utf8.count)) + Array($0.utf8) } ?? bigEndian(Int32(-1))
        return bigEndian(Int16(2)) + bigEndian(Int32(8)) + bigEndian(number) + text
    }

    private func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try connection.copy($0) } }

    @Test("Binary rows come back as they were copied, in pieces of any size", arguments: [1, 7, 4096, 1 << 20])
    func roundTrip(size: Int) throws {
        let count = size == 1 ? 50 : 20_000
        var data = Self.header
        for number in 0..<count {
            data += Self.row(Int64(number), number % 3 == 0 ? nil : "text \(number) \u{1F600}")
        }
        data += Self.trailer
        try connection.beginCopy("COPY t FROM STDIN (FORMAT binary)")
        for start in stride(from: 0, to: data.count, by: size) {
            try send(Array(data[start..<min(start + size, data.count)]))
        }
        #expect(try connection.endCopy() == count)
        var read: [UInt8] = []
        try connection.copyOut("COPY (SELECT * FROM t ORDER BY x) TO STDOUT (FORMAT binary)") { read += $0 }
        #expect(read == data)
    }

    @Test("An error in the data appears at the end of a COPY, and the connection stays usable")
    func badData() throws {
        try connection.beginCopy("COPY t FROM STDIN")
        try send(Array("1\ta\nx\tb\n".utf8))
        let error = try #require(throws: PostgresError.self) { _ = try connection.endCopy() }
        #expect(error.isDataException && error.sqlState == "22P02", "\(error)")
        #expect(try connection.execute("SELECT count(*) FROM t").integer(0, 0) == 0)
    }

    @Test("An abandoned COPY copies nothing")
    func abandoned() throws {
        try connection.beginCopy("COPY t FROM STDIN")
        try send(Array("1\ta\n".utf8))
        connection.abandonCopy("a \0 test")
        #expect(try connection.execute("SELECT count(*) FROM t").integer(0, 0) == 0)
        #expect(throws: PostgresError.self) { try send([]) }
        #expect(throws: PostgresError.self) { _ = try connection.endCopy() }
    }

    @Test("A transaction that throws during a COPY rolls back")
    func rollback() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1, 'a')")
                try connection.savepoint {
                    try connection.beginCopy("COPY t FROM STDIN")
                    try send(Array("1\ta\n".utf8))
                    throw Stop()
                }
            }
        }
        #expect(try connection.execute("SELECT count(*) FROM t").integer(0, 0) == 0)
    }

    @Test("A failure of the caller ends a COPY from the server")
    func stoppedCopyOut() throws {
        struct Stop: Error {}
        var rows = 0
        #expect(throws: Stop.self) {
            try connection.copyOut("COPY (SELECT * FROM generate_series(1, 10000000)) TO STDOUT") { _ in
                rows += 1
                if rows == 10 { throw Stop() }
            }
        }
        #expect(rows == 10)
        #expect(try connection.execute("SELECT 1").integer(0, 0) == 1)
    }

    @Test("An error of the server during a COPY from it is thrown")
    func failedCopyOut() throws {
        let error = try #require(throws: PostgresError.self) {
            try connection.copyOut("COPY (SELECT 1 / (500 - x) FROM generate_series(1, 1000) x) TO STDOUT") { _ in }
        }
        #expect(error.sqlState == "22012")
        #expect(try connection.execute("SELECT 1").integer(0, 0) == 1)
    }

    @Test("Statements in the wrong state are refused, and the connection stays usable")
    func misuse() throws {
        let attempts: [() throws -> Void] = [
            { try connection.execute("COPY t FROM STDIN") },
            { try connection.execute("COPY t TO STDOUT") },
            { try connection.beginCopy("COPY t TO STDOUT") },
            { try connection.beginCopy("SELECT 1") },
            { try connection.copyOut("COPY t FROM STDIN") { _ in } },
            { try connection.copyOut("SELECT 1") { _ in } },
        ]
        for attempt in attempts {
            #expect(try #require(throws: PostgresError.self) { try attempt() }.code == .misuse)
            #expect(try connection.execute("SELECT 1").integer(0, 0) == 1)
        }
        try connection.beginCopy("COPY t FROM STDIN")
        #expect(try #require(throws: PostgresError.self) { try connection.execute("SELECT 1") }.code == .misuse)
        #expect(try connection.endCopy() == 0)
    }
}
