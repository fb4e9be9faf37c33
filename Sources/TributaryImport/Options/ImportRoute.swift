public import TributaryJSON

/// The path of records in the sources, the entity and key of their objects, and how these are set.
public struct ImportRoute: Sendable {
    /// The kinds of routes.
    enum Kind: Sendable {
        /// The values of a record go into the columns of the model.
        case rows
        /// The values of a record go into inferred columns.
        case inferred(ColumnInference)
        /// The values of a record go into a table that another program made.
        case table(ExistingTable)
        /// A setter sets the attributes of an object.
        case objects(any ObjectRoute)
    }

    /// The entity.
    public let entityName: String
    /// The path of its records; nil to detect it, which only a single route can do.
    public internal(set) var path: RecordPath?
    /// The key of its objects; nil for the entity's uniqueness constraint.
    public let key: ImportKey?
    let kind: Kind
    /// Whether each record inserts an object, whatever its key is.
    package let isKeyless: Bool
    /// A mapping of its records that adds to that of the options, of the class or of the model.
    package private(set) var mapping: Mapping?
    /// What decides which nested objects of records have tables; nil unless tables are found in the data.
    var discovery: String?
    /// The value that its records have; nil for all records of its path.
    var condition: Condition?
    /// The filter of its records; nil for all of them.
    var filter: RecordFilter?

    /// Whether a setter makes its objects.
    package var hasSetter: Bool { if case .objects = kind { true } else { false } }

    /// The settings of a table that another program made; nil for other kinds.
    package var table: ExistingTable? { if case .table(let settings) = kind { settings } else { nil } }

    /// How values become those of inferred columns; nil for other kinds.
    package var inference: ColumnInference? { if case .inferred(let inference) = kind { inference } else { nil } }

    /// A route whose records set properties by a mapping; without one, by the members of their names.
    ///
    /// The rules of `mapping` add to those of the mapping in the options; without that, to those of the class or of the
    /// model.
    ///
    /// Rows are written without objects: the rules of the model for values apply, but neither `willSave` nor the
    /// validation of a class is called. If they must be called, use `objects`.
    public static func rows(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil, mapping: Mapping? = nil
    ) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .rows, isKeyless: false, mapping: mapping)
    }

    /// A route whose records each insert a new row.
    package static func newRows(
        _ entityName: String, at path: RecordPath? = nil, mapping: Mapping? = nil
    ) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: nil, kind: .rows, isKeyless: true, mapping: mapping)
    }

    /// A route that infers columns from the keys of the records; without a key each record inserts a new row.
    ///
    /// A column is added in the transaction of the first row that needs it. It is declared INTEGER, REAL or TEXT as its
    /// values allow, and another type before the first value that its type would change; see ``ColumnInference``.
    /// Nested values are stored as JSON. A JSON key that cannot be a column (it differs from another only in
    /// case, exceeds the limit of columns, or is reserved for the store) goes into the column `_rest` as JSON, which a
    /// later record of the same key replaces as a whole. The manager must be made by
    /// `ContextManager(inferring:key:at:)`.
    public static func inferred(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil,
        _ inference: ColumnInference = ColumnInference()
    ) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .inferred(inference), isKeyless: key == nil)
    }

    /// A route into a table that another program made, whose columns have the names of the members of records.
    ///
    /// A name may differ in case. A value is converted to the declared type of its column if it reads back as it was:
    /// 12 becomes text, but `"007"` is no number, and its record is rejected. Triggers run and constraints are checked,
    /// foreign keys for each record; a violated constraint makes the record a reject, and one that a trigger ignores
    /// counts as skipped. Without a key the primary key is used, or else the only unique index; a table without either
    /// gets a new row for each record. The manager must be made by `ContextManager(tablesAt:)`.
    public static func table(
        _ name: String, at path: RecordPath? = nil, key: ImportKey? = nil, _ settings: ExistingTable = ExistingTable()
    ) -> ImportRoute {
        ImportRoute(entityName: name, path: path, key: key, kind: .table(settings), isKeyless: settings.appends)
    }
}

extension ImportRoute {
    /// A route whose records become objects as `route` says.
    package init(objects entityName: String, at path: RecordPath?, key: ImportKey?, _ route: any ObjectRoute) {
        self.init(entityName: entityName, path: path, key: key, kind: .objects(route), isKeyless: false)
    }
}
