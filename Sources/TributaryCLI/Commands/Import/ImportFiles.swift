import TributaryImport
import TributaryPlatform

/// Checks that a command does not overwrite its inputs.
enum ImportFiles {
    /// Refuses a database, a file of rejects or changes, or an output that is another file of the command.
    static func check(
        _ sources: [any ByteSource], database: String, rejects: String? = nil, changes: String? = nil, command: String
    ) throws(UsageError) {
        var known: [(name: String, file: FileIdentity)] = []
        for source in sources {
            if let path = (source as? FileSource)?.path, FileKind(path) == .directory {
                throw UsageError("'\(path)' is a directory; name the files in it", command: command)
            }
            let file = InputFiles.identity(of: source)
            if let file { known.append(("the input '\(source.name)'", file)) }
        }
        func add(_ role: String, _ file: FileIdentity?, _ hint: String) throws(UsageError) {
            guard let file else { return }
            if let other = known.first(where: { $0.file == file }) {
                throw UsageError("\(role) is \(other.name); \(hint)", command: command)
            }
            known.append((role.prefix(1).lowercased() + role.dropFirst(), file))
        }
        try add("The database", FileIdentity(path: database), "choose another one")
        if let rejects { try add("The file of rejects", FileIdentity(path: rejects), "choose another file") }
        if let changes { try add("The file of changes", FileIdentity(path: changes), "choose another file") }
        try add("Standard output", FileIdentity(STDOUT_FILENO), "redirect it to another file")
    }

    /// Refuses a file of rejects or changes that cannot be written, before the database is created.
    static func checkOutputs(
        rejects: String?, changes: String?, of sources: [any ByteSource], database: String
    ) throws {
        let taken = FilePath.database(database)
        if let rejects {
            let exists = FileIdentity(path: database) != nil
            _ = try RejectsFile(path: rejects, besides: taken, of: sources) { _ in exists }
        }
        guard let changes else { return }
        _ = try ChangesFile(path: changes, besides: taken + (rejects.map { [("the file of rejects", $0)] } ?? []))
    }
}
