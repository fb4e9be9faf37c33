import TributaryImport
import TributaryConcurrency
import TributaryJSON

/// The columns that the records of a route need, and the kinds of their values, as a first reading of a dump finds them.
///
/// A column of PostgreSQL has one type for all rows, so all values must be known before the first row is written.
struct ColumnSurvey: Sendable {
    /// A column.
    struct Column: Sendable {
        /// The keys that lead to its values in a record; none for a record that is no object.
        let path: [String]
        var kinds: ColumnKinds
        /// The number of the chunk and the place in it where it has occurred first.
        var first: (chunk: Int, place: Int)
    }

    /// The columns, in the order in which they first occur.
    let columns: [Column]

    /// Reads sources to their ends, or to `limit` records, once for all routes; the reader can be cancelled.
    static func read(
        _ sources: [any ByteSource], _ reading: ReadOptions, _ routes: [ImportRoute], limit: Int?,
        onReader: (RecordReader) -> Void
    ) throws -> [ColumnSurvey] {
        let choice = RouteChoice(routes)
        var reading = reading
        if !choice.paths.isEmpty { reading.paths = choice.paths }
        if reading.onError == .quarantine { reading.onError = .skip }
        reading.digests = false
        let reader = RecordReader(from: sources, options: reading)
        onReader(reader)
        struct Intake {
            var chunks = 0
            var rest: Int
            var failure: (any Error)?
        }
        let intake = Guarded(Intake(rest: limit ?? .max))
        let found = Guarded<[[[String]: Column]]>(routes.map { _ in [:] })
        let threads = max(1, Processors.count)
        let running = Monitor(threads)
        @Sendable func survey() {
            let tallies = routes.map(SurveyTally.init)
            while true {
                let next = intake.withLock { intake -> (RecordChunk, Int, Int)? in
                    guard intake.failure == nil, intake.rest > 0 else { return nil }
                    do {
                        guard let chunk = try reader.next() else { return nil }
                        let count = min(intake.rest, chunk.count)
                        intake.rest -= count
                        intake.chunks += 1
                        return (chunk, count, intake.chunks)
                    } catch {
                        intake.failure = error
                        return nil
                    }
                }
                guard let (chunk, count, number) = next else { break }
                for tally in tallies { tally.begin(chunk: number) }
                for index in 0..<count {
                    let record = chunk[index]
                    if let route = choice.route(of: record) { tallies[route].add(record) }
                }
                if let full = tallies.firstIndex(where: \.isFull) {
                    intake.withLock { $0.failure = InferredTable.tooManyColumns(routes[full]) }
                }
            }
            found.withLock { all in
                for (route, tally) in tallies.enumerated() {
                    for column in tally.columns {
                        var merged = all[route][column.path] ?? column
                        if column.first < merged.first { merged.first = column.first }
                        merged.kinds.formUnion(column.kinds)
                        all[route][column.path] = merged
                    }
                }
            }
            running.update { $0 -= 1 }
        }
        for _ in 1..<threads {
            do { try WorkerThread.start { survey() } } catch { running.update { $0 -= 1 } }
        }
        survey()
        running.wait { $0 == 0 ? () : nil }
        reader.cancel()
        if let failure = intake.withLock({ $0.failure }) { throw failure }
        return found.withLock { $0 }.map { ColumnSurvey(columns: $0.values.sorted { $0.first < $1.first }) }
    }
}
