import Foundation
import TributaryJSON
import TributaryTestSupport

/// The files that the cases read, which are generated once and kept for the next run.
struct Workload: Sendable {
    let count: Int
    let folder: URL

    init(count: Int) throws {
        self.count = count
        folder = FileManager.default.temporaryDirectory.appending(path: "tributary-benchmarks")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for kind in [Dump.Kind.users, .usersNDJSON] where !FileManager.default.fileExists(atPath: path(kind)) {
            try BenchmarkFolder.write(to: path(kind)) { try Dump(kind, count: count).write($0) }
        }
    }

    func path(_ kind: Dump.Kind) -> String { folder.appending(path: "\(kind.rawValue)-\(count).json").path }

    /// The path of a database of the cases; the files of a new one are deleted first.
    func store(_ name: String, isNew: Bool) -> String {
        let path = folder.appending(path: "\(name)-\(count).sqlite").path
        if isNew {
            for ending in ["", "-wal", "-shm", "-writer"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        return path
    }

    var byteCount: Int { FileSource(path(.users)).byteCount ?? 0 }
}
