import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Tables and indexes whose pages were written without SQLite, compared with the same rows written by SQLite.
@Suite struct PageTreeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeEmpty(_ path: String, pageSize: Int) throws -> Connection {
        let connection = try Connection(.file(path))
        try connection.execute(SQLFragment(trusted: "PRAGMA page_size = \(pageSize)"))
        try connection.execute("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a, b, c)")
        try connection.execute("CREATE INDEX i ON t (a, b)")
        return connection
    }

    private func roots(_ path: String) throws -> (table: UInt32, index: UInt32) {
        let connection = try Connection(.file(path))
        let rows = try connection.rows(of: "SELECT rootpage FROM sqlite_master ORDER BY name DESC")
        guard case .integer(let table) = rows[0][0], case .integer(let index) = rows[1][0] else { return (0, 0) }
        return (UInt32(table), UInt32(index))
    }

    /// Calls `body` with the cells of values.
    private func withCells<Result>(
        _ values: [SQLValue], _ body: (UnsafeBufferPointer<SQLCell>) throws -> Result
    ) rethrows -> Result {
        let bytes = values.map { value -> [UInt8] in
            switch value {
            case .text(let text): Array(text.utf8)
            case .blob(let bytes): bytes
            default: []
            }
        }
        // Each value keeps its bytes in one buffer.
        let all = bytes.flatMap(\.self)
        return try all.withUnsafeBytes { all in
            var start = 0
            let cells = zip(values, bytes).map { value, bytes -> SQLCell in
                let own = UnsafeRawBufferPointer(rebasing: all[start..<start + bytes.count])
                start += bytes.count
                switch value {
                case .null: return .null
                case .integer(let number): return SQLCell(number)
                case .real(let number): return SQLCell(number)
                case .text: return SQLCell(text: own)
                case .blob: return SQLCell(blob: own)
                }
            }
            return try cells.withUnsafeBufferPointer(body)
        }
    }

    /// Writes rows, each with its key first, once by SQLite and once as pages, and compares the results.
    private func compare(_ rows: [[SQLValue]], pageSize: Int, ranges: Int = 1, _ label: Comment) throws {
        let (whole, direct) = (folder.path("whole.sqlite"), folder.path("direct.sqlite"))
        let reference = try makeEmpty(whole, pageSize: pageSize)
        try reference.transaction {
            for row in rows {
                try reference.execute("INSERT INTO t VALUES (\(row[0]), \(row[1]), \(row[2]), \(row[3]))")
            }
        }
        _ = try makeEmpty(direct, pageSize: pageSize)
        let (table, index) = try roots(direct)
        let (file, encoder) = (try PageFile(direct), RecordEncoder())
        let tree = TableTree(file, root: table)
        for row in rows {
            guard case .integer(let key) = row[0] else { continue }
            try withCells([.null] + row[1...]) { try tree.add(key, encoder.encode($0)) }
        }
        try tree.finish()
        // The entries of later ranges make leaves first, which are added to the tree.
        let sorted = try reference.rows(of: "SELECT a, b, \"_pk\" FROM t ORDER BY a, b, \"_pk\"")
        let size = max(2, sorted.count / ranges)
        let entries = IndexTree(file, root: index)
        for entry in sorted.prefix(size) { try withCells(entry) { try entries.add(encoder.encode($0)) } }
        var rest = sorted.dropFirst(size)
        while !rest.isEmpty {
            let count = rest.count < 2 * size ? rest.count : size
            guard count > 1 else {
                for entry in rest { try withCells(entry) { try entries.add(encoder.encode($0)) } }
                break
            }
            var made: [(UInt32, [UInt8])] = []
            let leaves = IndexLeaves(file, beginsWithDivider: true) { made.append(($0, $1)) }
            for entry in rest.prefix(count) { try withCells(entry) { try leaves.add(encoder.encode($0)) } }
            try leaves.finish()
            for (leaf, divider) in made { try entries.add(leaf: leaf, after: divider) }
            rest = rest.dropFirst(count)
        }
        try entries.finish()
        try file.finish()
        let found = try Connection(.file(direct))
        #expect(try found.rows(of: "PRAGMA integrity_check") == [["ok"]], label)
        for query in [
            "SELECT * FROM t NOT INDEXED ORDER BY \"_pk\"", "SELECT a, b, \"_pk\" FROM t INDEXED BY i ORDER BY a, b",
            "SELECT COUNT(*), MAX(\"_pk\") FROM t",
        ] as [SQLFragment] {
            let isSame = try found.rows(of: query) == reference.rows(of: query)
            #expect(isSame, label)
        }
        // SQLite can use the file.
        try found.execute("INSERT INTO t (a, b) SELECT b, a FROM t")
        try found.execute("DELETE FROM t WHERE \"_pk\" % 3 = 0")
        #expect(try found.rows(of: "PRAGMA integrity_check") == [["ok"]], label)
        for path in [whole, direct] { try FileManager.default.removeItem(atPath: path) }
    }

    private func value(_ lots: inout SeededGenerator, pageSize: Int) -> SQLValue {
        switch lots.below(8) {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: lots.next()) >> Int64(lots.below(64)))
        case 2: return .real(Double(bitPattern: lots.next()).isNaN ? 0.5 : Double(lots.below(1000)) / 8)
        case 3: return .text(String(repeating: "é😀", count: lots.below(pageSize / 2)))
        case 4: return .blob((0..<lots.below(3 * pageSize)).map { _ in UInt8(truncatingIfNeeded: lots.next()) })
        case 5: return .integer(Int64(lots.below(3)))
        default: return .text("value \(lots.below(1000))")
        }
    }

    @Test("Pages written directly hold any rows, in pages of any size", arguments: 0..<24)
    func anyRows(_ number: Int) throws {
        var lots = SeededGenerator.sampled(5_100, case: UInt64(number))
        let pageSize = 512 << (number % 8)
        var key = Int64(lots.below(1000)) - 500
        let rows = (0..<lots.pick([0, 1, 2, 10, 300, 1500])).map { _ -> [SQLValue] in
            key += 1 + Int64(lots.once(in: 50) ? lots.below(1 << 40) : 0)
            return [.integer(key)] + (0..<3).map { _ in value(&lots, pageSize: min(pageSize, 4096)) }
        }
        try compare(rows, pageSize: pageSize, ranges: lots.pick([1, 2, 3, 20]), "case \(number), seed \(lots.seed)")
    }

    @Test("Trees of every number of rows are complete, from one leaf to three levels")
    func anyCount() throws {
        for count in Array(0...60) + Array(stride(from: 61, through: 2500, by: 37)) {
            let rows = (0..<count).map { row -> [SQLValue] in
                [
                    .integer(Int64(row)), .text(String(repeating: "k", count: 40) + "\(row * 7919 % 10_007)"), .null,
                    .integer(7),
                ]
            }
            try compare(rows, pageSize: 512, ranges: 1 + count % 4, "\(count) rows")
        }
    }

    @Test("Pages above the leaves are written as soon as they are full")
    func interiorPagesOnTheWay() throws {
        let path = folder.path("way.sqlite")
        _ = try makeEmpty(path, pageSize: 512)
        let (table, index) = try roots(path)
        let (file, encoder) = (try PageFile(path), RecordEncoder())
        let (tree, entries) = (TableTree(file, root: table), IndexTree(file, root: index))
        for row in 0..<20_000 {
            let values: [SQLValue] = [.text("a value of some length, number \(100_000 + row)"), .integer(Int64(row))]
            try withCells(values) { cells in
                try tree.add(Int64(row), encoder.encode(cells))
                try entries.add(encoder.encode(cells))
            }
        }
        try file.flush()
        let bytes = try folder.read("way.sqlite")
        let kinds = stride(from: 512, to: bytes.count, by: 512).map { bytes[$0] }
        func share(_ interior: UInt8, of leaf: UInt8) -> Int {
            kinds.count { $0 == leaf } / max(1, kinds.count { $0 == interior })
        }
        // An interior page of a table has some sixty children, one of an index ten.
        #expect((1...90).contains(share(5, of: 13)) && (1...15).contains(share(2, of: 10)))
    }

    @Test("Payloads of every length around the limits of a cell are read back")
    func anyLength() throws {
        for pageSize in [512, 1024] {
            let rows = (0..<pageSize * 2 + 40).map { length -> [SQLValue] in
                [
                    .integer(Int64(length)), .blob([UInt8](repeating: UInt8(length % 251), count: length)), .null,
                    .text(String(repeating: "x", count: length)),
                ]
            }
            try compare(rows, pageSize: pageSize, "pages of \(pageSize) bytes")
        }
    }

    @Test("Records are read back as they were written")
    func decodedRecords() throws {
        var lots = SeededGenerator.fresh()
        let encoder = RecordEncoder()
        for _ in 0..<2000 {
            let values = (0..<1 + lots.below(200)).map { _ in value(&lots, pageSize: 64) }
            let found = withCells(values) { cells in
                var decoder = RecordDecoder(encoder.encode(cells))
                var found: [SQLValue] = []
                while let cell = decoder.next() { found.append(cell.value) }
                return found
            }
            let isSame = found == values
            #expect(isSame, "seed \(lots.seed)")
        }
    }

    @Test("A file that pages cannot be appended to is refused")
    func refusedFiles() throws {
        let path = folder.path("other.sqlite")
        #expect(throws: PageFile.Failure.self) { try PageFile(path) }
        for setting in ["PRAGMA auto_vacuum = 1", "PRAGMA encoding = 'UTF-16'"] as [SQLFragment] {
            let connection = try Connection(.file(path))
            try connection.execute(setting)
            try connection.execute("CREATE TABLE t (a)")
            #expect(throws: PageFile.Failure.self, "\(setting.text)") { try PageFile(path) }
            try FileManager.default.removeItem(atPath: path)
        }
        _ = try folder.write("{}".utf8, to: "text")
        #expect(throws: PageFile.Failure.self) { try PageFile(folder.path("text")) }
    }
}
