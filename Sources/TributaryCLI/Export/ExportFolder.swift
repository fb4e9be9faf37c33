import Foundation
import TributaryImport
import TributaryJSON

/// The files of an export in a directory.
struct ExportFolder {
    /// The directory.
    let path: String
    /// The files of the rows, in the order of their tables.
    let rows: [String]
    /// The database that the printed commands make.
    let database: String

    /// Whether there is a file of the keys of deleted rows.
    private let hasDeleted: Bool

    /// The files for tables of these names, or for the changes of a database, in a directory that need not exist.
    init(_ path: String, _ tables: [String], changesOf changed: String? = nil) {
        (self.path, hasDeleted) = (path, changed != nil)
        var taken: Set<String> = hasDeleted ? ["deleted"] : []
        rows = tables.map { table in
            let name = ExportFolder.stem(table)
            let names = [name] + (2...(tables.count + 2)).map { "\(name)_\($0)" }
            // Some file systems ignore case.
            let free = names.first { taken.insert($0.lowercased()).inserted } ?? name
            return "\(path)/\(free).ndjson"
        }
        let stem = (URL(filePath: path).standardizedFileURL.path as NSString).lastPathComponent
        let base = stem.isEmpty || stem == "/" || stem.hasPrefix("-") ? "export" : stem
        let names = ["\(base).sqlite"] + (2...999).map { "\(base)-\($0).sqlite" }
        // Changes go into a copy, which may be there.
        database =
            names.first { name in changed.map { !FilePath.areSame($0, name) } ?? (FileKind(name) == nil) }
            ?? "\(base)-new.sqlite"
    }

    /// The name of a file without its ending; file systems take 255 bytes.
    private static func stem(_ table: String) -> String {
        let name = table.replacing("/", with: "_").replacing("\0", with: "_")
        guard name.utf8.count > 200 else { return name }
        var bytes = 0
        return String(
            name.prefix { character in
                bytes += character.utf8.count
                return bytes <= 200
            })
    }

    /// The file of the model.
    var model: String { "\(path)/model.xml" }
    /// The file of the mapping.
    var map: String { "\(path)/map.json" }
    /// The file of the keys of deleted rows.
    var deleted: String { "\(path)/deleted.ndjson" }
    /// All files.
    var files: [String] { rows + [model, map] + (hasDeleted ? [deleted] : []) }

    /// Makes the directory.
    func make() throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw OutputFile.Failure.system(
                "cannot make the directory \(Excerpt.escape(path)): \(error.localizedDescription)")
        }
    }
}
