import TributaryConcurrency
import TributaryStore
import TributaryJSON
import TributarySQLite

/// Turns records into rows with inferred columns: each JSON key is a column, and each value is stored as it is.
///
///     12 → 12     1.50 → 1.5     true → 1     "007" → "007"     {"a": 1} → {"a":1} as text
///
/// A decimal that a double does not hold exactly is rounded and counted, a whole number beyond 64 bits is stored as its
/// text. Several threads prepare chunks; the order of the columns is that of the feed all the same, see `ChunkMaker`.
final class InferredRowMaker: Sendable {
    private let columns: Guarded<InferredColumns>
    /// The columns of the key, and the paths of their values in a record.
    let key: [(column: Int, path: [String])]

    /// How values become those of columns.
    let inference: ColumnInference
    /// What becomes of the values of columns, by their names with small letters.
    let rules: [String: ColumnRule]
    /// The values of new rows whose records lack them, by the names of columns with small letters.
    let defaults: [String: (value: SQLValue, kind: ValueKinds)]
    /// Whether another program made the table.
    let isFixed: Bool

    /// The path of the records; nil if it is detected.
    let path: RecordPath?

    /// Rows of a table with the columns `names`, those of the key included.
    init(
        _ names: [String], key: ImportKey?, _ inference: ColumnInference, at path: RecordPath?,
        fixed: InferredColumns.Fixed? = nil
    ) throws(ImportError) {
        self.path = path
        self.inference = inference
        let rules = (inference.shaping?.rules ?? [:]).map { ($0.key.lowercasedASCII, $0.value) }
        self.rules = Dictionary(rules) { first, _ in first }
        var defaults: [String: (value: SQLValue, kind: ValueKinds)] = [:]
        for (name, rule) in inference.shaping?.rules ?? [:] {
            guard let value = rule.defaultValue else { continue }
            let type = inference.types.first { $0.key.lowercasedASCII == name.lowercasedASCII }?.value
            defaults[name.lowercasedASCII] = try value.stored(in: name, fixed == nil ? type : nil)
        }
        self.defaults = defaults
        isFixed = fixed != nil
        columns = Guarded(InferredColumns(names, fixed: fixed))
        self.key = (key?.parts ?? []).compactMap { part in
            // A chosen column of this name says where its values are.
            let chosen = inference.shaping?.columns?.first { $0.name == part.attribute }
            let path = part.remote.path == [part.attribute] ? chosen?.path : nil
            return names.firstIndex(of: part.attribute).map { ($0, path ?? part.remote.path) }
        }
    }

    /// The names of all columns so far.
    var names: [String] { columns.withLock { $0.names } }

    /// Begins a chunk with the columns so far.
    func begin() -> ChunkColumns { ChunkColumns(columns.withLock { $0 }) }

    /// Whether the columns of a chunk begin with all columns so far, so that they can be kept.
    func canKeep(_ chunk: ChunkColumns) -> Bool {
        columns.withLock { $0.names.count == chunk.firstCount }
    }

    /// Keeps the columns that a chunk has added, for later chunks.
    func keep(_ chunk: ChunkColumns) { columns.withLock { $0 = chunk.columns } }

    /// The columns of a chunk in preparation: those when it began, and those that its records have added.
    final class ChunkColumns {
        fileprivate let firstCount: Int
        @exclusivity(unchecked) var columns: InferredColumns

        fileprivate init(_ columns: InferredColumns) {
            self.columns = columns
            firstCount = columns.names.count
        }

        var hasAdditions: Bool { columns.names.count > firstCount }
    }
}
