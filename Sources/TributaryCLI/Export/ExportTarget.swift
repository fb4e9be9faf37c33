/// Where an export writes.
package enum ExportTarget: Sendable, Equatable {
    /// A directory, with a file for each entity.
    case directory(String)
    /// A file with one entity.
    case file(String)
    /// Standard output, with one entity.
    case standardOutput

    /// The endings of names of files.
    private static let endings = [".ndjson", ".jsonl", ".json", ".gz", ".zst"]

    /// The target of a word: a directory, unless the word is that of a file.
    package init(_ word: String) {
        let isFile = ExportTarget.endings.contains { word.hasSuffix($0) } && FileKind(word) != .directory
        let kind = FileKind(word)
        if word == "-" {
            self = .standardOutput
        } else if isFile || kind == .file || kind == .other {
            self = .file(word)
        } else {
            let path = word.count > 1 && word.hasSuffix("/") ? String(word.dropLast()) : word
            // Commands must not take it for an option.
            self = .directory(path.hasPrefix("-") ? "./\(path)" : path)
        }
    }
}
