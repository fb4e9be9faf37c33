import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributaryModel
import TributaryPostgres
import TributaryTestSupport

import Tributary

/// An empty schema of its own, and dumps that are imported into it.
final class PostgresWorld: Sendable {
    let folder: TemporaryFolder
    let server: PostgresServer
    /// The address of the schema, past any proxy.
    let addressText: String
    /// The name of the schema.
    let schema: String

    init(on server: PostgresServer? = nil) throws {
        let server = try server ?? PostgresServer.shared()
        self.server = server
        folder = try TemporaryFolder()
        addressText = try server.newSchemaText()
        let connection = try PostgresConnection(PostgresAddress(addressText), role: "test")
        schema = try #require(connection.execute("SELECT current_schema()").text(0, 0))
    }

    /// The address of the schema, through another port, with more parameters.
    func address(port: UInt16? = nil, _ more: String = "") throws -> PostgresAddress {
        try PostgresAddress(
            addressText.replacing(":\(server.port)/", with: ":\(port ?? server.port)/") + more)
    }

    func connect() throws -> PostgresConnection { try PostgresConnection(address(), role: "test") }

    /// Runs statements in one session.
    func execute(_ statements: PostgresSQL...) throws {
        let connection = try connect()
        for statement in statements { try connection.execute(statement) }
    }

    /// The first column of a query, in its order.
    func column(_ sql: PostgresSQL, _ values: [PostgresValue] = []) throws -> [String?] {
        let rows = try connect().execute(sql, values)
        return (0..<rows.rowCount).map { rows.text($0, 0) }
    }

    /// All rows of a table as JSON, sorted by their texts.
    func rows(_ table: String = "thing") throws -> [String] {
        try column("SELECT to_jsonb(_row)::text FROM \(name: table) _row ORDER BY 1").compactMap(\.self)
    }

    /// The rejects of the latest run that has some, with their positions, in feed order.
    func rejects() throws -> [String] {
        try column(
            """
            SELECT concat_ws(' ', byte, line, "column", record, path, code, reason, start, length, upper(encode(raw, 'hex')))
            FROM _reject WHERE run = (SELECT max(run) FROM _reject) ORDER BY file, start, id
            """
        ).compactMap(\.self)
    }

    /// The codes and texts of all rejects, in feed order.
    func reasons() throws -> [String] {
        try column("SELECT code || ' ' || reason FROM _reject ORDER BY run, file, start, id").compactMap(\.self)
    }

    /// The types of the columns of a table, in their order.
    func types(_ table: String = "thing") throws -> [String] {
        try column(
            """
            SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
            WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """, [.text(table)]
        ).compactMap(\.self)
    }

    // MARK: Imports

    /// An import of a text, as a file of this name.
    func makeImport(
        _ text: String, _ route: ImportRoute, model: Model? = nil, file: String = "dump.json",
        to address: PostgresAddress? = nil,
        _ change: (inout ImportOptions, inout PostgresSettings) -> Void = { _, _ in }
    ) throws -> PostgresImport {
        let path = folder.path(file)
        if (try? folder.read(file)) != Array(text.utf8) { _ = try folder.write(text.utf8, to: file) }
        var options = ImportOptions()
        options.jobs = 2
        options.onError = .quarantine
        options.resuming = .again
        var settings = PostgresSettings()
        change(&options, &settings)
        return PostgresImport(
            into: try address ?? self.address(), from: [.file(path)], routes: [route], model: model, options: options,
            settings: settings)
    }

    /// Imports a text.
    @discardableResult
    func load(
        _ text: String, _ route: ImportRoute = .inferred("thing", key: "id"), model: Model? = nil,
        file: String = "dump.json",
        _ change: (inout ImportOptions, inout PostgresSettings) -> Void = { _, _ in }
    ) throws -> ImportSummary {
        let summary = try makeImport(text, route, model: model, file: file, change).perform().summary
        #expect(summary.isBalanced && summary.waiting == 0, "\(summary)")
        return summary
    }

    /// The rejects of imports, none of which may be left of unfinished work.
    func expectNoLeftovers(_ comment: Comment? = nil) throws {
        for table in ["_range", "_held", "_key"] {
            #expect(try column("SELECT count(*) FROM \(name: table)") == ["0"], "\(table): \(comment ?? "")")
        }
    }
}

extension ImportSummary {
    /// The numbers of records: read, inserted, updated, unchanged, duplicate, skipped, rejected.
    var tally: [Int] {
        [read, counts.inserted, counts.updated, counts.unchanged, counts.duplicate, counts.skipped, counts.rejected]
    }
}

extension Model {
    /// A model of one entity `thing`.
    convenience init(
        thing attributes: [AttributeDescription], key: [String] = ["id"]
    ) throws {
        var entity = EntityDescription("thing")
        entity.attributes = attributes
        if !key.isEmpty { entity.uniquenessConstraints = [key] }
        try self.init(ModelDescription([entity]))
    }
}
