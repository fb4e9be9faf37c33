import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Index entries sorted without SQLite, compared with its order.
@Suite struct KeySorterTests {
    private static func value(_ lots: inout SeededGenerator) -> SQLValue {
        switch lots.below(9) {
        case 0: .null
        case 1: .integer(Int64(bitPattern: lots.next()))
        case 2: .integer(Int64(lots.below(20)) - 10)
        case 3: .real(Double(lots.below(40)) / 2 - 10)
        case 4: .real(Double(Int64(bitPattern: lots.next())))
        case 5: .text(String(repeating: lots.pick(["a", "é", "same start "]), count: lots.below(4)))
        case 6: .text("same start of many \(lots.below(50))")
        case 7: .blob((0..<lots.below(12)).map { _ in UInt8(lots.below(2) * 255) })
        default: .text("\(lots.below(100_000))")
        }
    }

    @Test("Entries of any kind are sorted as SQLite sorts them, in any memory", arguments: 0..<12)
    func anyEntries(_ number: Int) throws {
        var lots = SeededGenerator.sampled(5_200, case: UInt64(number))
        let folder = try TemporaryFolder()
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (a, b)")
        let sorter = KeySorter(
            columnCount: 2, byteLimit: lots.pick([1 << 10, 20_000, 1 << 20]), folder: folder.url.path)
        let encoder = RecordEncoder()
        let batch = RowBatch(width: 3)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: 3)
        defer { cells.deallocate() }
        try connection.transaction {
            for row in 1...lots.pick([1, 2, 500, 5000]) {
                let values = [Self.value(&lots), Self.value(&lots), .integer(Int64(row))]
                try connection.execute("INSERT INTO t VALUES (\(values[0]), \(values[1]))")
                batch.begin(ordinal: 0)
                for value in values { batch.add(value) }
                batch.read(batch.count - 1, into: cells)
                try sorter.add(encoder.encode(UnsafeBufferPointer(cells)), first: cells[0])
            }
        }
        var found: [SQLValue] = []
        for range in try sorter.ranges(lots.pick([1, 2, 7])) {
            try range.forEach { _, record in
                var decoder = RecordDecoder(record)
                _ = (decoder.next(), decoder.next())
                if let row = decoder.next() { found.append(row.value) }
            }
        }
        let expected = try connection.rows(of: "SELECT rowid FROM t ORDER BY a, b, rowid").map { $0[0] }
        let isSame = found == expected
        #expect(isSame, "case \(number), seed \(lots.seed)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files.isEmpty)
    }
}
