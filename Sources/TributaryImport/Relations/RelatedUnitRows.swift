import TributaryStore
import TributaryJSON
import TributarySQLite

/// The rows of a unit of one chunk, while they are made.
final class RelatedUnitRows {
    /// Buffers for one record, and for each object of the same unit that it is in.
    final class Buffers {
        @exclusivity(unchecked) var scratch: RowMaker.Scratch

        init(_ maker: RowMaker) { scratch = RowMaker.Scratch(maker) }
    }

    let unit: RelatedPlan.Unit
    let batch: RowBatch
    @exclusivity(unchecked) private(set) var records: [Int32] = []
    /// The rows that further objects with equal values stand for, once for each of these.
    @exclusivity(unchecked) private(set) var repeats: [Int32] = []
    /// The numbers of rows and of further objects before the current record.
    @exclusivity(unchecked) private var counts = (rows: 0, repeats: 0)
    @exclusivity(unchecked) private var buffers: [Buffers] = []
    @exclusivity(unchecked) private var depth = 0
    /// The latest row of each key.
    @exclusivity(unchecked) private var latest = LatestRows()
    private let key: [Int]
    let maker: RowMaker
    let relationCount: Int
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    private let others: UnsafeMutableBufferPointer<SQLCell>

    private let keepsEqual: Bool
    /// Whether other objects lead to these.
    private let isReferred: Bool

    init(_ unit: RelatedPlan.Unit, of plan: RelatedPlan, isReferred: Bool, expecting count: Int, bytes: Int) {
        self.isReferred = isReferred
        self.unit = unit
        (maker, relationCount) = (unit.maker, unit.relations.count)
        keepsEqual = plan.keepsEqualObjects
        let width = unit.maker.table.columns.count
        batch = RowBatch(width: width, capacity: bytes)
        batch.reserve(rows: count)
        key = unit.maker.table.key
        cells = .allocate(capacity: width)
        others = .allocate(capacity: width)
    }

    deinit {
        cells.deallocate()
        others.deallocate()
    }

    /// Calls `body` with buffers that no object around this one uses.
    func withBuffers<Result>(_ body: (Buffers) throws -> Result) rethrows -> Result {
        if depth == buffers.count { buffers.append(Buffers(unit.maker)) }
        depth += 1
        defer { depth -= 1 }
        return try body(buffers[depth - 1])
    }

    /// Begins a record, whose rows may be removed.
    func beginRecord() { counts = (batch.count, repeats.count) }

    /// Removes the rows of the current record, which is rejected.
    func removeRecord() {
        repeats.removeSubrange(counts.repeats...)
        guard batch.count > counts.rows else { return }
        batch.truncate(to: counts.rows)
        records.removeSubrange(counts.rows...)
    }

    /// Keeps the row that was finished last, unless an earlier row has the same values; returns the index of that one.
    ///
    /// `record` is the index of its record; -1 for a nested object.
    func keep(record: Int, _ kind: RowBatch.Kind) -> Int32 {
        let row = batch.count - 1
        if kind != .record { batch.mark(kind) }
        guard !key.isEmpty, isReferred else {
            records.append(Int32(record))
            return Int32(row)
        }
        let hash = batch.entries[row].hash
        if kind != .record, let earlier = latest.row(of: hash), earlier < row, hasEqualKey(Int(earlier), row),
            kind == .reference
                || !keepsEqual && batch.entries[Int(earlier)].kind != .reference
                    && batch.hasEqualValues(Int(earlier), row)
        {
            batch.removeLast()
            if kind != .reference { repeats.append(earlier) }
            return earlier
        }
        latest.set(Int32(row), of: hash)
        records.append(Int32(record))
        return Int32(row)
    }

    private func hasEqualKey(_ row: Int, _ other: Int) -> Bool {
        batch.read(row, upTo: key.max(), into: cells)
        batch.read(other, upTo: key.max(), into: others)
        return key.allSatisfy { cells[$0].comes(before: others[$0]) == nil }
    }

    /// Adds a row for a bare key, of which a missing object is made if `isStub`; returns the index of the row.
    ///
    /// `ordinal` returns the number of the primary key of a new row, if it is not only a reference.
    func addReference(
        _ value: JSON, isStub: Bool, _ check: RowCheck?, ordinal: () -> Int
    ) throws -> Int32 {
        let stored = try unit.mapping.referenceKey(value)
        batch.begin(ordinal: isStub ? ordinal() : 0)
        for column in 0..<batch.width { if key[0] == column { batch.add(stored) } else { batch.addAbsent() } }
        batch.finish(key: key, scratch: cells)
        if let refusal = check?(batch) { throw refusal }
        return keep(record: -1, isStub ? .part : .reference)
    }

    var rows: RelatedChunk.Rows {
        var report = MappingReport()
        var matched = [Bool](repeating: false, count: unit.mapping.attributes.count)
        for buffers in buffers {
            report.add(unit.maker.report(buffers.scratch))
            for (index, isMatched) in unit.maker.matched(buffers.scratch).enumerated() where isMatched {
                matched[index] = true
            }
        }
        return RelatedChunk.Rows(
            batch: batch, records: records, repeats: repeats, matched: matched, report: report)
    }
}
