import TributaryImport
import TributaryStore
import TributaryJSON
import TributaryModel

/// A table without a model: an entity with the columns that a dump needs, and with the types of an existing table.
struct InferredTable {
    let entity: EntityDescription
    /// The route into the entity.
    let route: ImportRoute
    /// The statements that change the existing table.
    let changes: [PostgresSQL]
    /// For each attribute its column.
    let columnNames: [String: String]
    /// For each column whose name cannot be that of its member, the member.
    let renamed: [String: String]
    /// The largest number of columns: that of a table of PostgreSQL, without those that a staging table has more.
    static let mostColumns = 1598

    /// The error for more columns.
    static func tooManyColumns(_ route: ImportRoute) -> ImportError {
        ImportError(
            .route,
            "the dump has more than \(mostColumns) members for \(route.entityName), more than a table of PostgreSQL has columns",
            hint: "choose columns")
    }

    /// The table of a route: `survey` is nil if the dump cannot be read twice, `table` if there is none, and `isLoading`
    /// says that an earlier part of the run has made it.
    init(
        _ route: ImportRoute, _ survey: ColumnSurvey?, _ table: PostgresTable?, _ options: ImportOptions,
        isLoading: Bool
    ) throws {
        let shaping = route.inference?.shaping ?? route.table?.shaping
        try InferredTable.check(route, shaping)
        guard survey != nil || table != nil else {
            throw ImportError(
                .route,
                "the columns of \(route.entityName) are inferred by reading the input twice, and it can be read only once",
                hint: "save it to a file first, or import with a model")
        }
        // Records without members have the defaults of a table.
        let members = InferredTable.columns(
            survey?.columns.isEmpty ?? false && table != nil ? nil : survey, table, shaping)
        var names = ColumnNames(table, members: members.map(\.name))
        var columns = members.map { (name: names.column(of: $0.name), paths: $0.paths, kinds: $0.kinds) }
        if options.mode == .replace, shaping?.columns == nil, let table, table.isOwn {
            // A record replaces the values of all columns, also of those that no record of the dump has. An import
            // makes none with a default.
            let others = table.columns.filter { column in
                !column.hasDefault && !columns.contains { $0.name == column.name }
            }
            columns += others.map { ($0.name, [InferredTable.pathWithoutValues(for: $0.name, survey)], []) }
        }
        let key = try InferredTable.key(of: route, table, isLoading: isLoading).map { names.column(of: $0) }
        let attributes = key.map { names.attribute(of: $0) }
        for part in route.key?.parts ?? [] {
            let name = names.column(of: part.attribute)
            if !columns.contains(where: { $0.name == name }) { columns.append((name, [part.remote.path], .text)) }
        }
        for (name, same) in Dictionary(grouping: columns, by: \.name) where same.count > 1 {
            let paths = same.map { $0.paths[0].joined(separator: ".") }.sorted().joined(separator: " and ")
            throw ImportError(
                .route, "the members \(paths) have the same column \(name) of \(route.entityName)",
                hint: "choose columns, or add another by ALTER TABLE")
        }
        guard columns.count <= InferredTable.mostColumns else {
            throw InferredTable.tooManyColumns(route)
        }
        let grows = table.map { $0.isOwn || route.table?.addsColumns ?? false } ?? true
        var (changes, unknown): ([PostgresSQL], [String]) = ([], [])
        var entity = EntityDescription(route.entityName)
        var mapping = Mapping()
        mapping.infersNames = false
        for (name, paths, kinds) in columns {
            let stated = route.inference?.types[name]
            var type = stated?.attributeType ?? kinds.type
            var isMandatory = key.contains(name)
            if key.contains(name), type == .json {
                throw ImportError(
                    .route, "the key \(name) has values of several types", hint: "state one of them as its type")
            }
            if let table {
                if let column = table.column(exactly: name) {
                    if column.isGenerated {
                        guard key.contains(name) else { continue }
                        throw ImportError(
                            .route, "the key \(name) of \(route.entityName) is computed by the server",
                            hint: "name another unique index as the key, or append")
                    }
                    isMandatory = isMandatory || column.isNotNull && !column.hasDefault
                    type = try InferredTable.type(of: column, kinds, stated, table, &changes)
                    // An array of JSON is no key, but its text is one.
                    if key.contains(name), column.type.form == .array { type = .string }
                    if key.contains(name), type == .json, column.type.attributeType != .json {
                        throw ImportError(
                            .route, "the key \(name) has values of other types than \(column.type.name)",
                            hint: "correct the dump, or state the type of the column")
                    }
                } else if grows, let new = PostgresType(type) {
                    changes.append(table.addition(of: name, new))
                } else {
                    unknown.append(name)
                    continue
                }
            }
            let attributeName = names.attribute(of: name)
            var attribute = AttributeDescription(attributeName, type)
            attribute.isOptional = !isMandatory
            entity.attributes.append(attribute)
            var rule = PropertyRule()
            rule.paths = paths.map(RemoteKey.init(path:))
            if stated != nil { rule.conversion = .lenient }
            mapping[attributeName] = rule
        }
        guard unknown.isEmpty else {
            throw ImportError(
                .route, "the table \(route.entityName) has no column for \(unknown.shortList)", remedy: .addColumns)
        }
        if !key.isEmpty { entity.uniquenessConstraints = [attributes] }
        self.entity = entity
        self.changes = changes
        (columnNames, renamed) = (names.columns, names.renamed)
        let rows: ImportRoute =
            key.isEmpty
            ? .newRows(route.entityName, at: route.path, mapping: mapping)
            : .rows(
                route.entityName, at: route.path,
                key: ImportKey(
                    attributes,
                    remote: key.map { name in
                        RemoteKey(path: columns.first { $0.name == name }?.paths[0] ?? [name])
                    }),
                mapping: mapping)
        self.route = rows.withCondition(of: route)
    }

    private static func check(_ route: ImportRoute, _ shaping: ColumnShaping?) throws {
        guard shaping?.source == nil, route.table?.rest == nil, shaping?.rules == nil else {
            throw ImportError(
                .route,
                "columns for the name of the source and for other members are for SQLite, as are rules of columns",
                hint: "leave the option out, or import into SQLite")
        }
    }

    /// The columns of the key: those of the route, or else those of the primary key or of the only unique index.
    private static func key(of route: ImportRoute, _ table: PostgresTable?, isLoading: Bool) throws -> [String] {
        if let key = route.key { return key.parts.map(\.attribute) }
        if route.inference != nil || route.table?.appends ?? false { return [] }
        guard let table, !isLoading else { return [] }
        guard table.keys.count <= 1 else {
            throw ImportError(
                .route, "the table \(table.name) has several unique indexes",
                hint: "name one as the key: \(table.keys.map { $0.joined(separator: ",") }.shortList)")
        }
        return table.keys.first ?? []
    }

    /// The members with the paths of their values.
    private static func columns(
        _ survey: ColumnSurvey?, _ table: PostgresTable?, _ shaping: ColumnShaping?
    ) -> [(name: String, paths: [[String]], kinds: ColumnKinds)] {
        guard let survey else {
            return (table?.columns ?? []).map { ($0.name, [[$0.name]], []) }
        }
        if let wanted = shaping?.columns {
            return wanted.map { selection in
                (selection.name, [selection.path], survey.columns.first { $0.path == selection.path }?.kinds ?? [])
            }
        }
        let separator = shaping?.flatten ?? "."
        var columns = survey.columns.filter { column in
            // An object whose members are columns has none itself.
            !column.kinds.isEmpty || column.path.isEmpty
                || !survey.columns.contains { $0.path.count > column.path.count && $0.path.starts(with: column.path) }
        }.map { ($0.path.joined(separator: separator), [$0.path], $0.kinds) }
        // A record that is no object shares its column with a member of that name.
        if let whole = columns.firstIndex(where: { $0.1 == [[]] }) {
            columns[whole].0 = "value"
            if let member = columns.firstIndex(where: { $0.1 == [["value"]] }) {
                columns[whole].1.append(["value"])
                columns[whole].2.formUnion(columns[member].2)
                columns.remove(at: member)
            }
        }
        return columns
    }

    /// A path without values, for a column that no record of a dump has; its name may be that of objects whose members
    /// are columns.
    private static func pathWithoutValues(for column: String, _ survey: ColumnSurvey?) -> [String] {
        func has(_ path: [String]) -> Bool {
            survey?.columns.contains { $0.path.count >= path.count && $0.path.starts(with: path) } ?? false
        }
        guard has([column]) else { return [column] }
        var path = [column, "none"]
        while has(path) { path[1] += "_" }
        return path
    }

    /// The type of the values of an existing column, which is widened if an import has made its table.
    private static func type(
        of column: PostgresTable.Column, _ kinds: ColumnKinds, _ stated: ColumnInference.ColumnType?,
        _ table: PostgresTable, _ changes: inout [PostgresSQL]
    ) throws -> AttributeType {
        guard stated == nil, let held = ColumnKinds(column.type), !held.isSuperset(of: kinds), table.isOwn else {
            return column.type.attributeType
        }
        // Whether a column of doubles has such numbers is unknown, and its server converts them anyway.
        guard let wider = PostgresType(held.subtracting(.wide).union(kinds).type), wider != column.type else {
            return column.type.attributeType
        }
        changes.append(table.widening(of: column.name, to: wider))
        return wider.attributeType
    }
}

extension ColumnInference.ColumnType {
    /// The type of the attribute of a column with this stated type.
    fileprivate var attributeType: AttributeType {
        switch self {
        case .integer: .integer64
        case .real: .double
        case .numeric: .decimal
        case .text: .string
        case .any: .json
        }
    }
}
