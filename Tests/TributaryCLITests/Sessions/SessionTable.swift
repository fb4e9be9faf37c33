import TributarySQLite

/// A table of a session: what is known of it before the first command.
struct SessionTable: Sendable {
    /// Who made the table.
    enum Maker: Sendable, Hashable {
        /// The command; its columns are inferred.
        case command
        /// Another program, by these statements.
        case program([String])
        /// The command, by a model whose versions are files of the session.
        case model
    }

    /// What becomes of the members of a record.
    enum Shape: Sendable, Hashable {
        /// Each member has a column, or is left out.
        case plain
        /// Members of objects have columns of their own.
        case flat
        /// Members without a column are JSON in this column.
        case rest(String)
        /// Members without a column add one.
        case growing
        /// Objects and lists of objects are rows of the tables with these names.
        case related(one: String, many: String)
    }

    var name: String
    /// The members that identify a record; none if each record is a new row.
    var key: [String]
    var maker = Maker.command
    var shape = Shape.plain
    /// The columns that a table of another program, or of a model, has for members, in their order.
    var columns: [String] = []
    /// The members that records have besides the key.
    var members: [String] = ["name", "count", "tag", "list"]
    /// Columns whose values no two rows may share, apart from the key; null is no value.
    var unique: [String] = []
    /// The values of columns that a new row gets without a member.
    var defaults: [String: SessionValue] = [:]
    /// Whether texts that differ in the case of ASCII letters are one key.
    var ignoresCase = false
    /// Whether a constraint, or the model, refuses a row.
    var refuses: @Sendable ([String: SessionValue]) -> Bool = { _ in false }
    /// Whether triggers count updates in the column `touched`, write the table `audit` and keep the index `search`.
    var hasTriggers = false
    /// A column whose values are keys of another table of the same program, which become null when its rows go.
    var reference: (column: String, table: String)?
    /// Whether commands name the table; the others are filled together with one that they name.
    var isNamed = true

    var isForeign: Bool { if case .program = maker { true } else { false } }

    /// The statements of another program that make the table.
    var statements: [String] { if case .program(let statements) = maker { statements } else { [] } }

    /// The words of a command that name the table, its key and what becomes of its members.
    func words(_ place: SessionPlace) -> [String] {
        var words = ["--table", name]
        switch maker {
        case .command:
            if !key.isEmpty { words += ["--key", key.joined(separator: ",")] }
            // PostgreSQL keeps the type that a key has in the first feed, which may be empty.
            if place.database.hasPrefix("postgres:"), !key.isEmpty { words += ["--types", "id=integer,place=text"] }
        case .model: words += ["--model", place.path("v\(place.version).xml")]
        case .program: if shape == .plain { words += ["--columns", columns.joined(separator: ",")] }
        }
        switch shape {
        case .plain: break
        case .flat: words.append("--flatten")
        case .rest(let column): words += ["--rest", column]
        case .growing: words.append("--add-columns")
        case .related: words.append("--relations")
        }
        return words
    }

    /// The tables that a session takes together, as their names.
    static let groups: [[String]] = [
        ["users"], ["pairs"], ["events"], ["flat"], ["films", "studio", "cast"], ["prices"], ["items"], ["notes"],
        ["codes"], ["boxes"], ["growing"], ["wide"], ["owners", "pets"],
    ]

    /// The tables of a session that have these names.
    static func named(_ names: [String]) -> [SessionTable] {
        names.compactMap { name in all.first { $0.name == name } }
    }
}
