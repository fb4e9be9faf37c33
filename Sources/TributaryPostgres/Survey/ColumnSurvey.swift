import Foundation
import Tributary
import TributaryConcurrency
import TributaryJSON

/// The columns that the records of a dump need, and the kinds of their values, as a first reading of it finds them.
///
/// A column of PostgreSQL has one type for all rows, so all values must be known before the first row is written.
struct ColumnSurvey: Sendable {
    /// A column.
    struct Column: Sendable {
        /// The keys that lead to its values in a record; none for a record that is no object.
        let path: [String]
        var kinds: ColumnKinds
    }

    /// The columns, in the order in which they first occur.
    private(set) var columns: [Column] = []

    /// What the survey of one thread has found, by the numbers of chunks.
    private struct Finding {
        /// The chunk and the place in it where a column has occurred first.
        var first: (chunk: Int, place: Int)
        var kinds: ColumnKinds
    }

    /// Reads sources to their ends.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - reading: How they are read.
    ///   - flattens: Whether the members of objects are columns of their own.
    ///   - numbers: What becomes of decimals beyond a double.
    ///   - limit: The number of records to read, at most.
    ///   - onReader: Called with the reader, so that it can be cancelled.
    /// - Throws: `JSONError` if a source cannot be read.
    init(
        _ sources: [any ByteSource], _ reading: ReadOptions, flattens: Bool, numbers: ColumnInference.Numbers,
        limit: Int?, onReader: (RecordReader) -> Void
    ) throws {
        var reading = reading
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
        let found = Guarded<[[String]: Finding]>([:])
        let threads = max(1, ProcessInfo.processInfo.activeProcessorCount)
        let running = Monitor(threads)
        @Sendable func survey() {
            let tally = SurveyTally(flattens: flattens, numbers: numbers)
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
                tally.add(chunk, count, number)
            }
            found.withLock { all in
                for column in tally.columns {
                    let known = all[column.path]
                    var finding = known ?? Finding(first: (column.chunk, column.place), kinds: [])
                    finding.first = min(finding.first, (column.chunk, column.place)) { $0 < $1 }
                    finding.kinds.formUnion(column.kinds)
                    all[column.path] = finding
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
        columns = found.withLock { $0 }.sorted { $0.value.first < $1.value.first }
            .map { Column(path: $0.key, kinds: $0.value.kinds) }
    }
}

/// The lesser of two values by an order.
private func min<Value>(_ one: Value, _ other: Value, _ areInOrder: (Value, Value) -> Bool) -> Value {
    areInOrder(other, one) ? other : one
}
