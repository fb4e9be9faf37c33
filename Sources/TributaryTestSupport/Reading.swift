public import TributaryJSON

/// The complete output of a reader, in a form that tests can compare.
public struct Reading: Equatable, Sendable {
    /// Each record as compact JSON.
    public var records: [String] = []
    /// The position of each record: offset, length, line, number, path.
    public var places: [String] = []
    /// The rejects.
    public var rejects: [Reject] = []
    /// The error that ended the reading, if there was one.
    public var failure: JSONError?
    /// The layouts of the sources.
    public var shapes: [String] = []

    /// Reads everything.
    public init(_ sources: [any ByteSource], _ options: ReadOptions = ReadOptions(), from checkpoint: Checkpoint? = nil)
    {
        let reader = RecordReader(from: sources, options: options, resumingAt: checkpoint)
        do {
            while let chunk = try reader.next() { add(chunk) }
        } catch let error as JSONError {
            failure = error
        } catch {
            failure = JSONError(.sourceRead, "\(error)")
        }
        shapes = reader.report.sources.map { "\($0.shape)" }
    }

    /// Reads one source.
    public init(_ source: some ByteSource, _ options: ReadOptions = ReadOptions()) { self.init([source], options) }

    /// Reads `text`.
    public init(_ text: String, _ options: ReadOptions = ReadOptions()) {
        self.init(MemorySource(text.utf8), options)
    }

    private mutating func add(_ chunk: RecordChunk) {
        rejects += chunk.rejects
        for record in chunk {
            records.append(record.value.compactText)
            places.append(
                "\(record.offset)+\(record.length) line \(record.line) #\(record.number) \(record.path)")
        }
    }

    /// The difference from `other` in one line; empty if there is none.
    public func difference(from other: Reading) -> String {
        if failure != other.failure {
            return "failure \(String(describing: failure)) / \(String(describing: other.failure))"
        }
        if rejects != other.rejects { return "rejects \(rejects) / \(other.rejects)" }
        if records != other.records { return "\(records.count) records / \(other.records.count)" }
        if places != other.places { return "places \(zip(places, other.places).first { $0 != $1 } ?? ("", ""))" }
        return shapes == other.shapes ? "" : "shapes \(shapes) / \(other.shapes)"
    }
}
