import TributaryImport
import TributaryJSON

/// The command that imports a dump as its profile suggests.
struct ImportLine {
    private let command: InspectCommand
    private let findings: ProfileFindings
    private let model: InspectModel?
    private var profile: DumpProfile { findings.profile }

    /// The command for a profile, with a model if one was made of it.
    init(_ findings: ProfileFindings, _ command: InspectCommand, _ model: InspectModel? = nil) {
        (self.findings, self.command, self.model) = (findings, command, model)
    }

    /// The words of the command; nil if there is nothing to import.
    var words: [String]? {
        guard profile.recordCount > 0, !profile.isOfRows, !command.operands.isEmpty, !command.operands.contains("-")
        else { return nil }
        var words: [String] = []
        if isAtSeveralPlaces { words.append("--all") }
        if let model {
            words += model.words
        } else {
            words += columnWords
        }
        if profile.damage.count > 0 { words += ["--rejects", "\(stem)-rejects.ndjson"] }
        return command.line("import", database, words)
    }

    /// The options for columns that are inferred.
    private var columnWords: [String] {
        var words: [String] = []
        if !isAtSeveralPlaces, let key { words += ["--key", key] }
        if !isAtSeveralPlaces {
            if hasRelations { words.append("--relations") } else if hasPlainObjects { words.append("--flatten") }
        }
        return words
    }

    /// The command as it is typed.
    var text: String? { words.map { $0.map(ShellWord.quoted).joined(separator: " ") } }

    private var stem: String {
        EntityName.stem(
            of: command.operands[0].hasSuffix("/") ? String(command.operands[0].dropLast()) : command.operands[0])
            ?? "dump"
    }

    private var database: String { "\(stem).sqlite" }

    /// Whether records are at several paths, each of which gets a table.
    var isAtSeveralPlaces: Bool {
        profile.sources.contains { $0.paths.count > 1 } && profile.records.count == 0
    }

    /// The member that identifies the records.
    var key: String? {
        guard let name = plainKey ?? typedKey?.path.first, !name.isEmpty,
            !name.contains(","), !name.contains("."), !name.contains("="), EntityName.columnFault(in: name) == nil
        else { return nil }
        return name
    }

    private var plainKey: String? {
        if case .member(let name)? = profile.key(of: [])?.path.last { name } else { nil }
    }

    /// The path of typed values of Extended JSON that identify the records.
    var typedKey: RemoteKey? {
        let paths = profile.keys.filter { $0.isKey && $0.path.count == 2 }.map(\.path)
        for path in paths {
            guard case .member(let name) = path[0], name == "_id" || name == "id",
                case .member(let inner) = path[1], inner == "$oid" || inner == "$uuid"
            else { continue }
            return RemoteKey(path: [name, inner])
        }
        return nil
    }

    /// Whether objects inside of the records have keys, so that they can be rows of tables.
    private var hasRelations: Bool {
        profile.keys.contains { $0.path.count > 1 && $0.isInEachObject && isUsualName($0.path.last) }
    }

    private func isUsualName(_ step: PathProfile.Step?) -> Bool {
        if case .member(let name)? = step { JSON.idNames.contains(name) } else { false }
    }

    /// Whether records have objects, so few members of which there are that each can be a column.
    private var hasPlainObjects: Bool {
        var (objects, columns) = (0, 0)
        func count(_ path: PathProfile) {
            for child in path.children {
                guard case .member = child.step else { continue }
                if child.kinds == [.object], !child.isDictionary {
                    objects += 1
                    count(child)
                } else {
                    columns += 1
                }
            }
        }
        count(profile.records)
        return objects > 0 && columns <= 200 && profile.further.isEmpty
    }
}
