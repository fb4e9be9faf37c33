import Foundation
import TributaryImport
import TributaryJSON
import TributaryModel
import TributaryStore

/// What `--against` names: an earlier profile, the rows of a table, or an entity of a model.
enum InspectBaseline {
    case profile(DumpProfile)
    /// The profile of a table, and the members of its columns.
    case table(DumpProfile, ColumnMembers?)
    /// An entity, and the model that it belongs to.
    case entity(Entity, Model)

    /// Reads the file at a path; `read` profiles rows.
    init(_ path: String, _ command: InspectCommand, _ read: (TableSource) throws -> DumpProfile) throws {
        if StoredDatabase.beginsAsDatabase(path) {
            let tables = try ReadableTable.read(path) { names in
                if let wanted = command.table { return [try InspectedDatabase.table(wanted, in: names, of: path)] }
                return [try InspectBaseline.choose(names.tables, "tables", of: path, for: command)]
            }
            let rows = TableSource(path, tables ?? [])
            let members = try rows.tables.first.flatMap { try ColumnMembers(of: $0.name, in: path) }
            self = .table(try read(rows), members)
        } else if InspectBaseline.isModel(path) {
            let model = try Model(ModelFile.read(path))
            self = .entity(try InspectBaseline.entity(of: model, at: path, for: command), model)
        } else {
            guard command.table == nil else {
                throw UsageError("'--table' is for '--against' with a database or a model", command: "inspect")
            }
            self = .profile(try ProfileFile.read(path))
        }
    }

    /// Whether a path leads to a folder, or to XML.
    private static func isModel(_ path: String) -> Bool {
        switch FileKind(path) {
        case .directory: return true
        case .file:
            let head = (try? FileHandle(forReadingAtPath: path)?.read(upToCount: 256)) ?? Data()
            // A mark of the byte order may be in front.
            return head.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
        case .other, nil: return false
        }
    }

    // MARK: Choosing

    private static func entity(of model: Model, at path: String, for command: InspectCommand) throws -> Entity {
        let entities = model.entities.filter { !$0.isAbstract }
        let names = entities.map(\.name)
        let name = try command.table ?? choose(names, "entities", of: path, for: command)
        if let entity = entities.first(where: { $0.name == name }) { return entity }
        throw CommandError(
            "\(Excerpt.escape(path)): there is no entity '\(Excerpt.escape(name))'"
                + Suggestion.hint(for: name, among: names))
    }

    /// The only name, or the one after which the table, the member or the file of the records is named.
    private static func choose(
        _ names: [String], _ what: String, of path: String, for command: InspectCommand
    ) throws -> String {
        if names.count == 1 { return names[0] }
        guard !names.isEmpty else { throw CommandError("\(Excerpt.escape(path)): there are no \(what)") }
        let table = command.operands.dropFirst().last
        let stems = [
            command.options.paths?.first?.memberName, table, command.operands.first.flatMap { EntityName.stem(of: $0) },
        ]
        for stem in stems.compactMap(\.self) {
            if let name = names.first(where: { EntityName.fits($0, stem: stem) }) { return name }
        }
        throw CommandError(
            "\(Excerpt.escape(path)): there are the \(what) \(names.map { Excerpt.escape($0) }.shortList); choose one with --table NAME"
        )
    }

    // MARK: Comparing

    /// The profile that is compared; nil for an entity.
    var profile: DumpProfile? {
        switch self {
        case .profile(let profile), .table(let profile, _): profile
        case .entity: nil
        }
    }

    /// What differs in a profile, each in a line; `describe` tells where a value is.
    func differences(
        of profile: DumpProfile, hidesValues: Bool, _ describe: @escaping (ValuePlace) -> String
    ) throws -> [String] {
        if case .profile(let earlier) = self {
            guard earlier.isOfRows != profile.isOfRows else {
                return ProfileDrift(from: earlier, to: profile, hidesValues: hidesValues, describe).lines
            }
            let fit = TableFit(table: earlier.isOfRows ? earlier : profile, dump: earlier.isOfRows ? profile : earlier)
            let (old, new) = earlier.isOfRows ? (fit.table, fit.dump) : (fit.dump, fit.table)
            return ProfileDrift(from: old, to: new, hidesValues: hidesValues, describe).lines
        }
        guard !profile.sources.contains(where: { $0.paths.count > 1 }) else {
            throw CommandError(
                "records at several places have no table in common; choose those at one place with "
                    + (profile.isOfRows ? "tributary inspect DB TABLE" : "--at PATH"))
        }
        switch self {
        case .profile: return []
        case .table(let rows, let members):
            let fit = TableFit(table: rows, dump: profile, members)
            return ProfileDrift(from: fit.table, to: fit.dump, hidesValues: hidesValues, describe).lines
        case .entity(let entity, _):
            return try ModelDrift(from: entity, to: profile, hidesValues: hidesValues, describe).lines
        }
    }
}
