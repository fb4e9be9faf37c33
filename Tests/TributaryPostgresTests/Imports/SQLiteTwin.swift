import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributaryModel
import TributaryPostgres
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A store of SQLite into which the same dumps are imported as into a table of PostgreSQL.
final class SQLiteTwin: Sendable {
    private let folder: TemporaryFolder
    private let manager: ContextManager
    private let entity: String

    init(_ model: Model, entity: String = "thing") throws {
        folder = try TemporaryFolder()
        self.entity = entity
        manager = try ContextManager(model: model, store: .sqlite(folder.path("twin.sqlite")))
    }

    /// Imports a text.
    func load(
        _ text: String, _ route: ImportRoute, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        let path = try folder.write(text.utf8, to: "dump.json")
        var options = ImportOptions()
        options.jobs = 2
        options.onError = .quarantine
        change(&options)
        return try StreamImport(into: manager, from: [.file(path)], routes: [route], options: options)
            .perform().summary
    }

    /// The rejects of the latest run that has some, with their positions, in feed order.
    func rejects() throws -> [String] {
        try values(
            """
            SELECT byte, line, "column", record, path, code, reason, start, length, hex(raw)
            FROM _reject WHERE run = (SELECT max(run) FROM _reject) ORDER BY file, start, id
            """
        ).map { row in
            row.compactMap { value in
                switch value {
                case .integer(let number): "\(number)"
                case .text(let text): text
                default: nil
                }
            }.joined(separator: " ")
        }
    }

    private func values(_ sql: SQLFragment) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read { try $0.rows(of: sql) }
    }

    /// All rows in a form that is the same for both databases, sorted; `json` normalizes the text of a JSON value.
    func rows(_ attributes: [AttributeDescription], _ json: (String) throws -> String) throws -> [[String]] {
        let list = attributes.map { "\(identifier: $0.name)" as SQLFragment }
        let names = list.dropFirst().reduce(list[0]) { $0 + ", " + $1 }
        return try values("SELECT \(names) FROM \(identifier: entity)").map { row in
            try zip(row, attributes).map { try SQLiteTwin.text($0, $1.type, json) }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func text(
        _ value: SQLValue, _ type: AttributeType, _ json: (String) throws -> String
    ) throws -> String {
        switch value {
        case .null: return "null"
        case .integer(let number):
            switch type {
            case .boolean: return number == 0 ? "false" : "true"
            case .decimal: return CommonValue.decimal("\(number)")
            case .double: return "\(Double(number))"
            case .float: return "\(Float(number))"
            case .date: return "\(number * 1_000_000)"
            default: return "\(number)"
            }
        case .real(let number):
            switch type {
            case .float: return "\(Float(number) + 0)"
            case .date: return CommonValue.microseconds(number)
            case .decimal: return CommonValue.decimal("\(number)")
            default: return "\(number + 0)"
            }
        case .text(let text):
            switch type {
            case .decimal: return CommonValue.decimal(text)
            case .uuid: return text.lowercased()
            case .json: return try json(text)
            default: return text
            }
        case .blob(let bytes): return bytes.map { String(format: "%02x", $0) }.joined()
        }
    }
}

/// Values in a form that is the same for SQLite and PostgreSQL.
enum CommonValue {
    /// The microseconds of the shortest text of seconds, which is that of the source.
    static func microseconds(_ seconds: Double) -> String {
        guard let exact = Decimal(string: "\(seconds)") else { return "\(seconds)" }
        var (product, rounded) = (exact * 1_000_000, Decimal())
        NSDecimalRound(&rounded, &product, 0, .plain)
        return "\(rounded)"
    }

    /// A decimal number without zeros that say nothing.
    static func decimal(_ text: String) -> String {
        guard text.contains(".") else { return text }
        var digits = text[...]
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return digits == "-0" ? "0" : String(digits)
    }

    /// The expression of a column.
    fileprivate static func expression(_ attribute: AttributeDescription) -> PostgresSQL {
        switch attribute.type {
        case .binary: "encode(\(name: attribute.name), 'hex')"
        case .date: "trunc(extract(epoch FROM \(name: attribute.name)) * 1000000)"
        default: "\(name: attribute.name)"
        }
    }

    fileprivate static func text(_ text: String?, _ type: AttributeType) -> String {
        guard let text else { return "null" }
        switch type {
        case .boolean: return text == "t" ? "true" : "false"
        case .decimal: return decimal(text)
        // Zero is one value in SQLite.
        case .double: return Double(text).map { "\($0 + 0)" } ?? text
        case .float: return Float(text).map { "\($0 + 0)" } ?? text
        default: return text
        }
    }
}

extension PostgresWorld {
    /// All rows of a table in a form that is the same for both databases, sorted.
    func commonRows(_ attributes: [AttributeDescription], of table: String = "thing") throws -> [[String]] {
        let list = attributes.map(CommonValue.expression)
        let rows = try connect().execute("SELECT \(list) FROM \(name: table)")
        return (0..<rows.rowCount).map { row in
            attributes.indices.map { CommonValue.text(rows.text(row, $0), attributes[$0].type) }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// A function that writes a JSON value as a column of `jsonb` does.
    func normalizer() throws -> (String) throws -> String {
        let connection = try connect()
        return { try connection.execute("SELECT $1::jsonb", [.text($0)]).text(0, 0) ?? "" }
    }
}
