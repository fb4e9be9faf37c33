import TributaryStore
import TributaryModel
import TributarySQLite

extension ImportPlan {
    /// A table that another program made, with what its route says.
    struct Foreign: Sendable {
        let table: ForeignTable
        /// The columns of rows, in their order.
        let columns: [String]
        /// The columns by which a row is found; empty if each record inserts one.
        let key: [String]
        let settings: ExistingTable
        /// The values of new rows whose records lack them, by the names of columns with small letters.
        let defaults: [String: SQLValue]
        /// The model of the entity that stands for the table, which only the model retains.
        let model: Model
    }

    /// Resolves a route into a table that another program made, in the store of a name; nil if there is no such table.
    static func resolve(
        _ route: ImportRoute, _ settings: ExistingTable, _ table: ForeignTable?, in store: String,
        _ options: ImportOptions
    ) throws -> ResolvedRoute {
        let name = route.entityName
        guard let table else {
            throw ImportError(
                .route, "\(store) has no table \(name)",
                hint: "if it was dropped or renamed since, restore it, or import into another table")
        }
        guard options.sync == nil else {
            throw ImportError(
                .route, "a sync is not for \(table.name), a table of another program",
                hint: "import it, and delete its rows by other means")
        }
        guard options.mode != .replace else {
            throw ImportError(
                .route, "the mode replace is not for \(table.name), a table of another program",
                hint: "use upsert, which keeps the columns that a record lacks")
        }
        if let rest = settings.rest, !settings.addsColumns, !table.writableColumns.contains(where: { $0.name == rest })
        {
            throw ImportError(
                .route, "the table \(name) has no column \(rest) for other members",
                hint: "it has \(table.writableColumns.map(\.name).shortList)")
        }
        let names = try key(of: table, route)
        if let rest = settings.rest, names.contains(rest) {
            throw ImportError(
                .route, "the column \(rest) is part of the key, and cannot take other members",
                hint: "choose another column for them")
        }
        guard !options.isUndoable || !names.isEmpty || !table.primaryKey.isEmpty else {
            throw ImportError(
                .route, "nothing identifies a row of \(table.name), so its changes cannot be undone",
                hint: "name a key, or do without undo")
        }
        let columns = table.writableColumns.map(\.name)
        if let source = settings.shaping?.source?.lowercased() {
            guard source != settings.rest?.lowercased() else {
                throw ImportError(
                    .route, "one column cannot have the names of sources and other members",
                    hint: "choose another one for the names")
            }
            guard settings.addsColumns || columns.contains(where: { $0.lowercased() == source }) else {
                throw ImportError(
                    .route,
                    "the table \(name) has no column \(settings.shaping?.source ?? "") for the name of the source",
                    hint: "it has \(columns.shortList)")
            }
        }
        let ruled = (settings.shaping?.rules ?? [:]).keys.sorted()
        if !settings.addsColumns,
            let unknown = ruled.first(where: { name in
                !columns.contains { $0.lowercasedASCII == name.lowercasedASCII }
            })
        {
            throw ImportError(
                .route, "the table \(name) has no column \(unknown)", hint: "it has \(columns.shortList)")
        }
        let key = names.isEmpty ? nil : ImportKey(parts: try parts(names, route, columns, table))
        try settings.shaping?.check(key: names)
        var inference = ColumnInference()
        inference.shaping = settings.shaping
        inference.types = Dictionary(table.writableColumns.map { ($0.name, $0.affinity.type) }) { first, _ in first }
        let fixed = InferredColumns.Fixed(
            generated: table.columns.filter(\.isGenerated).map(\.name), grows: settings.addsColumns,
            rest: settings.rest)
        var description = ModelDescription([StoredModel.inferred(table.name, columns: [], key: [])])
        description.isInferred = true
        let model = try Model(description)
        let maker = try InferredRowMaker(columns, key: key, inference, at: route.path, fixed: fixed)
        let foreign = Foreign(
            table: table, columns: columns, key: names, settings: settings,
            defaults: maker.defaults.mapValues { $0.value }, model: model)
        let entity = model.entities[0]
        return ResolvedRoute(
            route: route, entity: entity, table: GrowingTable(entity, key: []).table(entity, columns),
            making: .inferred(maker),
            foreign: foreign)
    }

    /// The columns of the key: those of the route, or else those of the primary key or of the only unique index.
    private static func key(of table: ForeignTable, _ route: ImportRoute) throws -> [String] {
        if route.isKeyless { return [] }
        let keys = (table.primaryKey.isEmpty ? [] : [table.primaryKey]) + table.uniqueKeys
        let known = keys.map { $0.joined(separator: ",") }.shortList
        guard let wanted = route.key?.parts.map(\.attribute) else {
            guard table.rowKey != nil || keys.isEmpty else {
                throw ImportError(
                    .route, "the table \(table.name) has several unique indexes", hint: "name one as the key: \(known)")
            }
            return table.rowKey ?? []
        }
        func folded(_ names: [String]) -> [String] { names.map { $0.lowercased() }.sorted() }
        guard let found = keys.first(where: { folded($0) == folded(wanted) }) else {
            throw ImportError(
                .route,
                "\(wanted.joined(separator: ",")) is neither the primary key nor a unique index of \(table.name)",
                hint: keys.isEmpty ? "create a unique index first" : "its keys are \(known)")
        }
        return found
    }

    /// The parts of the key with the paths of the route.
    private static func parts(
        _ names: [String], _ route: ImportRoute, _ columns: [String], _ table: ForeignTable
    ) throws -> [ImportKey.Part] {
        try names.map { name in
            guard columns.contains(name) else {
                throw ImportError(
                    .route, "the key \(name) of \(table.name) is a generated column", hint: "name another key")
            }
            let part = route.key?.parts.first { $0.attribute.lowercased() == name.lowercased() }
            return ImportKey.Part(attribute: name, remote: part?.remote ?? RemoteKey(path: [name]))
        }
    }
}

extension ImportRoute {
    /// Throws what refuses an import into a table that another program made, before the database is changed.
    package func check(in path: String, _ options: ImportOptions) throws {
        guard case .table(let settings) = kind else { return }
        _ = try ImportPlan.resolve(self, settings, ForeignTable.read(entityName, in: path), in: path, options)
    }
}

extension ForeignTable.Affinity {
    /// The conversion of values of a column.
    fileprivate var type: ColumnInference.ColumnType {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .numeric: .numeric
        case .none: .any
        }
    }
}
