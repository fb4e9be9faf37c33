import TributaryImport
import TributaryStore
import TributaryJSON
import TributaryModel
import TributarySQLite

/// An import into PostgreSQL, checked and resolved against the tables of the database.
struct PostgresPlan: Sendable {
    let address: PostgresAddress
    let options: ImportOptions
    /// The routes as they were given.
    let described: [ImportRoute]
    let model: Model
    let rows: RowsPlan
    /// For each route its table; empty if records have nested objects.
    let targets: [TargetTable]
    /// For each route whether its table is to be made.
    let isNew: [Bool]
    /// Tables without a unique index of the key, which only a resumed load of them can use.
    private let missingKeys: [(table: PostgresTable, names: [String])]
    /// The statements that make and change tables before the first row is written.
    let changes: [PostgresSQL]
    /// For each entity the columns whose names cannot be those of their members, with the members.
    let renamedColumns: [String: [String: String]]
    /// Whether members without a column end the import, since the columns are those of a table.
    let isFixed: Bool

    /// Whether all tables are new and have a key, so that rows are appended without an index.
    var canLoad: Bool {
        options.mode != .update && rows.related == nil && isNew.allSatisfy(\.self)
            && targets.allSatisfy { !$0.key.isEmpty && !$0.hasLooseKey }
    }

    /// Throws if the key of a table has no unique index; `loading` are the tables of runs that are not finished.
    func checkTables(loading: [String: Int]) throws {
        for name in rows.routes.map(\.entity.name) {
            guard let run = loading[name] else { continue }
            throw ImportError(
                .route, "run \(run), which is not finished, loads \(name) and has not made its index yet",
                hint: "finish it by the same command, or forget it, which makes the index")
        }
        guard let (table, names) = missingKeys.first else { return }
        let known = table.keys.map { $0.joined(separator: ",") }.shortList
        throw ImportError(
            .route, "\(names.joined(separator: ",")) is neither the primary key nor a unique index of \(table.name)",
            hint: known.isEmpty ? "create a unique index first" : "its keys are \(known)")
    }

    /// Throws if the mode needs keys, and the records of a route have none; it reads no record.
    static func checkMode(
        _ routes: [ImportRoute], _ options: ImportOptions, on connection: PostgresConnection
    ) throws {
        guard options.mode.needsKey else { return }
        for route in routes where route.key == nil {
            let isKeyless =
                try route.isKeyless
                || route.table != nil && PostgresTable(route.entityName, on: connection)?.keys.isEmpty ?? false
            if isKeyless { throw ImportError.missingKey(of: route.entityName, options.mode) }
        }
    }

    /// The number of connections that write.
    func connections(_ wanted: Int) -> Int {
        // Rules, or keys that only the server takes for equal, may let one group wait for another that waits for its commit.
        rows.related != nil || targets.contains { $0.mayWait || $0.hasLooseKey } ? 1 : max(1, wanted)
    }

    /// Resolves routes against the tables of a database.
    ///
    /// Without a model, each route has what the dump holds in `surveys`, or nil if that cannot be read twice. `isLoading`
    /// says that an earlier part of the run has made the tables, which have no index yet.
    init(
        _ address: PostgresAddress, _ routes: [ImportRoute], _ sources: [any ByteSource], model: Model?,
        surveys: [ColumnSurvey?], _ options: ImportOptions, isLoading: Bool, on connection: PostgresConnection
    ) throws {
        (self.address, self.options, described) = (address, options, routes)
        let tables = try routes.map { try PostgresTable($0.entityName, on: connection) }
        // None with a model, whose attributes have columns of their names, in whatever case.
        let inferred =
            try model == nil
            ? routes.indices.map {
                try InferredTable(routes[$0], surveys[$0], tables[$0], options, isLoading: isLoading)
            } : []
        var changes = inferred.flatMap(\.changes)
        if let model {
            self.model = model
        } else {
            var description = ModelDescription(inferred.map(\.entity))
            description.isInferred = true
            self.model = try Model(description)
        }
        renamedColumns = Dictionary(zip(routes.map(\.entityName), inferred.map(\.renamed)).filter { !$1.isEmpty }) {
            $1
        }
        isFixed = model == nil && surveys.contains { $0 == nil }
        var rows = try RowsPlan(
            model == nil ? inferred.map(\.route) : routes, described: routes, sources: sources, model: self.model,
            options: options, isInferred: model == nil)
        var (targets, isNew): ([TargetTable], [Bool]) = ([], [])
        var missingKeys: [(table: PostgresTable, names: [String])] = []
        if let related = rows.related {
            rows.check(keepsRecords: false, by: PostgresRelatedWriter.check(related))
        } else {
            for (index, (route, table)) in zip(rows.routes, tables).enumerated() {
                let names = model == nil ? inferred[index].columnNames : nil
                let target = try PostgresPlan.target(route, table, names, isLoading: isLoading, changes)
                if table == nil { changes += target.creation }
                targets.append(target)
                isNew.append(table == nil || isLoading)
                guard let table, !isLoading, !target.key.isEmpty else { continue }
                let key = Set(target.key.map { target.columns[$0].name })
                if !table.keys.contains(where: { Set($0) == key }) { missingKeys.append((table, key.sorted())) }
            }
            rows.check(keepsRecords: targets.contains(where: \.mayRefuse)) { [targets] route in
                let encoder = RowEncoder(targets[route])
                return { encoder.encodeLastRow(of: $0) }
            }
        }
        (self.targets, self.isNew) = (targets, isNew)
        (self.rows, self.changes, self.missingKeys) = (rows, changes, missingKeys)
    }

    /// The table of a route: an existing one, or the one that will be made.
    private static func target(
        _ route: RowsPlan.Route, _ table: PostgresTable?, _ names: [String: String]?, isLoading: Bool,
        _ changes: [PostgresSQL]
    ) throws -> TargetTable {
        let entity = route.entity
        guard entity.parent == nil, entity.descendants.isEmpty else {
            throw ImportError(
                .route, "\(entity.name) inherits or is inherited, which tables of PostgreSQL do not have here",
                hint: "import it into SQLite, or give it an entity of its own")
        }
        var (columns, defaults): ([ColumnEncoder], [PostgresSQL?]) = ([], [])
        for column in route.table.columns {
            guard let attribute = entity.attribute(named: column.attributeName) else { continue }
            let name = names?[attribute.name] ?? attribute.name
            if let existing = names == nil ? table?.column(name) : table?.column(exactly: name) {
                guard !existing.isGenerated else {
                    throw ImportError(
                        .route, "the column \(existing.name) of \(entity.name) is computed by the server",
                        hint: "leave it out of the model, or of the dump")
                }
                // A column may be widened before the first row is written.
                let wider = PostgresType(attribute.type).flatMap { type in
                    table.map { changes.contains($0.widening(of: existing.name, to: type)) ? type : nil }
                        ?? nil
                }
                // Only an attribute of JSON has arrays; another one has their text.
                let type = attribute.type == .json ? existing.type : existing.type.withoutArrays
                columns.append(ColumnEncoder(name: existing.name, type: wider ?? type))
                defaults.append(column.defaultValue == .null ? existing.defaultValue : nil)
                continue
            }
            guard let type = PostgresType(attribute.type) else {
                throw ImportError(
                    .route, "\(entity.name).\(attribute.name) is \(attribute.type), which PostgreSQL has no column for",
                    hint: "leave it out, or store JSON")
            }
            if let table, !changes.contains(table.addition(of: name, type)) {
                throw ImportError(
                    .route, "the table \(table.name) has no column \(name)",
                    hint: "add it by ALTER TABLE, or leave it out of the model")
            }
            columns.append(ColumnEncoder(name: name, type: type))
            defaults.append(nil)
        }
        return TargetTable(route.table, columns, serverDefaults: defaults, in: table, isLoading: isLoading)
    }
}
