import TributaryImport
import Foundation

/// A directory with generated files, among which there may be others.
struct GeneratedFolder {
    /// What makes the directory what it should be.
    struct Changes {
        fileprivate let directory: String
        fileprivate(set) var missing: [(path: String, text: String)] = []
        fileprivate(set) var different: [(path: String, text: String)] = []
        /// The paths of files to delete.
        fileprivate(set) var obsolete: [String] = []
        fileprivate(set) var unchanged = 0

        var isEmpty: Bool { missing.isEmpty && different.isEmpty && obsolete.isEmpty }

        /// Writes and deletes the files, each at once.
        func write() throws {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            for (path, text) in missing + different {
                do {
                    let file = try FileReplacement(of: path)
                    try file.write(Array(text.utf8))
                    try file.finish()
                } catch {
                    throw CommandError("\(Excerpt.escape(path)): the file cannot be written: \(error)")
                }
            }
            for path in obsolete { try FileManager.default.removeItem(atPath: path) }
        }
    }

    private let directory: String
    private let header: String

    /// The directory at `path`, whose files with the first line `header` were generated from the same source.
    init(_ path: String, header: String) {
        directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.header = header
    }

    /// Compares the directory with the files that it should have.
    func changes(to files: [(name: String, text: String)]) throws -> Changes {
        var changes = Changes(directory: directory)
        for file in files {
            let path = "\(directory)/\(file.name)"
            guard let text = try contents(path) else {
                changes.missing.append((path, file.text))
                continue
            }
            guard text.isEmpty || isGenerated(text) else { throw refusal(path, text) }
            if text == file.text {
                changes.unchanged += 1
            } else {
                changes.different.append((path, file.text))
            }
        }
        let names = Set(files.map(\.name))
        let others = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in others.sorted() where name.hasSuffix(".swift") && !names.contains(name) {
            let path = "\(directory)/\(name)"
            guard let text = try contents(path), isGenerated(text) else { continue }
            changes.obsolete.append(path)
        }
        return changes
    }

    /// The text of a file; nil if there is none.
    private func contents(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    private func isGenerated(_ text: String) -> Bool { text.prefix { $0 != "\n" } == header }

    private func refusal(_ path: String, _ text: String) -> CommandError {
        let path = Excerpt.escape(path)
        return CommandError(
            text.hasPrefix(ClassGenerator.mark)
                ? "\(path): the file was generated from another model; use another directory, or delete it first"
                : "\(path): the file was not generated, so it is left as it is, and nothing was written; move or rename it"
        )
    }
}
