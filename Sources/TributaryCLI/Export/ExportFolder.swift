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

    /// The files for tables of these names, in a directory that need not exist.
    init(_ path: String, _ tables: [String], hasDeleted: Bool = false) {
        (self.path, self.hasDeleted) = (path, hasDeleted)
        var taken: Set<String> = hasDeleted ? ["deleted"] : []
        rows = tables.map { table in
            let name = table.replacing("/", with: "_").replacing("\0", with: "_")
            let names = [name] + (2...(tables.count + 2)).map { "\(name)_\($0)" }
            // Some file systems ignore case.
            let free = names.first { taken.insert($0.lowercased()).inserted } ?? name
            return "\(path)/\(free).ndjson"
        }
        let stem = (URL(filePath: path).standardizedFileURL.path as NSString).lastPathComponent
        let base = stem.isEmpty || stem == "/" || stem.hasPrefix("-") ? "export" : stem
        let names = ["\(base).sqlite"] + (2...999).map { "\(base)-\($0).sqlite" }
        database = names.first { FileKind($0) == nil } ?? "\(base)-new.sqlite"
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
