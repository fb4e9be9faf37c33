import Tributary
import TributaryGraph
import TributaryJSON
import TributaryModel
import TributaryPostgres
import TributarySQLite
import TributaryTestSupport

/// The same records with nested objects, in a store and in the tables of a server.
final class RelatedWorld {
    let manager: ContextManager
    let world: PostgresWorld
    let server: PostgresConnection
    private let model: Model

    /// Whether the places of objects in lists are compared.
    let hasPlaces: Bool

    init(_ entities: [EntityDescription], hasPlaces: Bool = true) throws {
        self.hasPlaces = hasPlaces
        world = try PostgresWorld()
        model = try Model(ModelDescription(entities))
        manager = try ContextManager(model: model, store: .sqlite(world.folder.path("related.sqlite")))
        server = try world.connect()
    }

    /// What a run has counted.
    struct Counts: Equatable {
        var records = RecordCounts()
        var related: [String: RecordCounts] = [:]
        var dangling: [String: Int] = [:]
        var reasons: [String] = []

        /// The counts with updated records as unchanged ones.
        var withoutChanges: Counts {
            func join(_ counts: RecordCounts) -> RecordCounts {
                var counts = counts
                (counts.unchanged, counts.updated) = (counts.unchanged + counts.updated, 0)
                return counts
            }
            return Counts(
                records: join(records), related: related.mapValues(join), dangling: dangling, reasons: reasons)
        }
    }

    /// How a text is imported.
    struct Way {
        var mode = ImportMode.upsert
        var dangling = ImportOptions.Dangling.wait
        /// For some entities the mapping.
        var mappings = Mappings()
        var batchSize = 100
        /// The number of chunks that are written together.
        var group = 3

        fileprivate var options: ImportOptions {
            var options = ImportOptions()
            options.mode = mode
            options.dangling = dangling
            options.mappings = mappings
            options.batchSize = batchSize
            options.onError = .quarantine
            return options
        }
    }

    /// Imports a text into the store.
    func store(_ text: String, as entity: String, _ way: Way = Way()) throws -> Counts {
        let feed = StreamImport(
            into: manager, from: [.text(text)], routes: [.rows(entity, at: "[]")],
            options: way.options)
        let summary = try feed.perform().summary
        var rejects: [String] = []
        if summary.rejected > 0 {
            rejects = try rows("SELECT \"reason\" FROM \"_reject\"").map { $0[0] ?? "" }
            try manager.stores.stores[0].importing { try $0.execute("DELETE FROM \"_reject\"") }
        }
        return Counts(
            records: summary.counts, related: summary.related ?? [:], dangling: summary.dangling ?? [:],
            reasons: rejects.sorted())
    }

    /// Imports a text into the tables of the server, through a proxy on `port` if there is one.
    func serve(
        _ text: String, as entity: String, _ way: Way = Way(), port: UInt16? = nil,
        onStatement: (@Sendable (String) -> Void)? = nil
    ) throws -> Counts {
        let feed = try world.makeImport(text, .rows(entity, at: "[]"), model: model, to: world.address(port: port)) {
            $0 = way.options
            $0.resuming = .again
            ($1.groupRows, $1.onStatement) = (way.group * way.batchSize, onStatement)
        }
        let summary = try feed.perform().summary
        var reasons: [String] = []
        if summary.rejected > 0 {
            reasons = try world.column("SELECT reason FROM _reject WHERE run = (SELECT max(run) FROM _reject)")
                .compactMap(\.self)
        }
        return Counts(
            records: summary.counts, related: summary.related ?? [:], dangling: summary.dangling ?? [:],
            reasons: reasons.sorted())
    }

    // MARK: Content

    private typealias Column = (name: String, meaning: TableOutline.Meaning)

    /// The rows of a query in the store, as texts.
    func rows(_ sql: String) throws -> [[String?]] {
        try manager.stores.stores[0].read { connection in
            try connection.rows(of: SQLFragment(trusted: sql)).map { $0.map(RelatedWorld.text) }
        }
    }

    static func text(_ value: SQLValue) -> String? {
        switch value {
        case .null: nil
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\(bytes)"
        }
    }

    /// All rows of the store, with keys in place of primary keys.
    func storeContent() throws -> [String] {
        let hasWaiting = try !rows("SELECT 1 FROM sqlite_master WHERE name = '_waiting'").isEmpty
        return try content(hasWaiting: hasWaiting) { columns, table in
            let list = columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
            return try rows("SELECT \(list) FROM \(SQLIdentifier(table).quoted)")
        }
    }

    /// All rows of the tables of the server, with keys in place of primary keys.
    func serverContent() throws -> [String] {
        let isMissing = try server.execute("SELECT to_regclass('_waiting')").text(0, 0) == nil
        return try content(hasWaiting: !isMissing) { columns, table in
            let list = columns.map { $0.meaning.text(of: "\(name: $0.name)") }
            let found = try server.execute("SELECT \(list) FROM \(name: table)")
            return (0..<found.rowCount).map { row in
                columns.enumerated().map { number, column -> String? in
                    let text = found.text(row, number)
                    guard table == "_waiting", let place = ["key0", "key1"].firstIndex(of: column.name),
                        let name = found.text(row, 0).flatMap({ RelationName($0) }), place < name.key.count,
                        let type = model[name.destination]?.attribute(named: name.key[place])?.type
                    else { return RelatedWorld.text(column.meaning.value(of: text)) }
                    return RelatedWorld.text(TableOutline.Meaning.attribute(type).value(of: text))
                }
            }
        }
    }

    private func content(
        hasWaiting: Bool, _ read: (_ columns: [Column], _ table: String) throws -> [[String?]]
    ) throws -> [String] {
        let schema = Schema(model)
        let outlines = model.entities.compactMap { schema.outline(of: $0) } + schema.joinOutlines(of: model.entities)
        var labels: [String: [String: String]] = [:]
        var tables: [(outline: TableOutline, rows: [[String?]])] = []
        for outline in outlines {
            let found = try read(outline.columns.map { ($0.name, $0.meaning) }, outline.name)
            tables.append((outline, found))
            let key = outline.constraints.first ?? []
            let places = key.compactMap { name in outline.columns.firstIndex { $0.name == name } }
            for row in found where outline.entity != nil {
                labels[outline.name, default: [:]][row[0] ?? ""] =
                    "\(outline.name) \(places.map { row[$0] ?? "null" })"
            }
        }
        var lines = tables.flatMap { outline, found in
            found.map { row in
                let values = zip(row, outline.columns).map { value, column -> String in
                    guard let value else { return "null" }
                    return switch column.meaning {
                    case .key: labels[outline.name]?[value] ?? "?"
                    case .link(let table): labels[table]?[value] ?? "? \(value)"
                    case .attribute(.json): value.replacing(", ", with: ",").replacing(": ", with: ":")
                    case .position where !hasPlaces: ""
                    case .position, .attribute: value
                    }
                }
                return "\(outline.name): \(values.joined(separator: ", "))"
            }
        }
        guard hasWaiting else { return lines.sorted() }
        let columns = ["relation", "key0", "key1"].map { Column($0, .attribute(.string)) }
        let numbers = ["owner", "position", "run"].map { Column($0, .position) }
        for row in try read(columns + numbers, "_waiting") {
            // An object without a key is no reference that can be resolved.
            guard let table = row[0].flatMap({ RelationName($0)?.entity }) else { continue }
            let owner = row[3].flatMap { labels[table]?[$0] } ?? "?"
            lines.append(
                "waiting: \(row[0] ?? ""), \(row[1] ?? ""), \(row[2] ?? ""), \(owner), \(hasPlaces ? row[4] ?? "" : "")"
            )
        }
        return lines.sorted()
    }
}
