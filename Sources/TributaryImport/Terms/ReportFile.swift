import TributaryJSON
import TributaryPlatform

/// A file with a report of an import, such as its rejects, that is named by a user and replaced as a whole.
struct ReportFile {
    let path: String
    /// What it holds, in the words of messages.
    private let contents: String
    private let code: ImportError.Code
    /// Whether there is something at the path.
    let exists: Bool
    /// Whether it is a regular file.
    let isRegular: Bool

    /// The file at `path`; nothing is written yet.
    ///
    /// - Throws: `ImportError` if it cannot be written, or is one of `taken`.
    init(_ path: String, of contents: String, _ code: ImportError.Code, besides taken: [(name: String, path: String)])
        throws
    {
        (self.path, self.contents, self.code) = (path, contents, code)
        var status = stat()
        exists = stat(path, &status) == 0
        isRegular = exists && status.st_mode & S_IFMT == S_IFREG
        guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("it is not a valid file name") }
        if let other = taken.first(where: { FilePath.areSame($0.path, path) }) {
            throw failure("it is \(other.name)", hint: "choose another file for \(contents); it was not changed")
        }
        if let obstacle = FileReplacement.obstacle(at: path) {
            throw failure("it cannot be written: \(obstacle)", hint: "choose another path")
        }
    }

    /// Replaces the file by what `body` writes.
    ///
    /// - Throws: `ImportError` with a hint if it cannot be written, errors of `body`.
    func replace(orElse hint: String, _ body: (FileReplacement) throws -> Void) throws {
        do {
            let file = try FileReplacement(of: path)
            try body(file)
            try file.finish()
        } catch let error as FileReplacement.Failure {
            throw failure("it cannot be written: \(error)", hint: hint)
        }
    }

    /// The error for the file.
    func failure(_ reason: String, hint: String? = nil) -> ImportError {
        ImportError(code, "the file of \(contents) \(Excerpt.escape(path)): \(reason)", hint: hint)
    }
}
