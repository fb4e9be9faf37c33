import TributaryJSON

/// Why a file of rejects cannot be written or read.
package struct RejectsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What is wrong.
    package let reason: String
    /// How to go on, if there is something to be done.
    package let hint: String?
    /// Whether the file was there once, and is gone.
    package let isGone: Bool

    init(_ path: String, _ reason: String, hint: String? = nil, isGone: Bool = false) {
        self.path = path
        self.reason = reason
        self.hint = hint
        self.isGone = isGone
    }

    /// The whole sentence: what, where, how to go on.
    package var description: String {
        "the file of rejects \(Excerpt.escape(path)): \(reason)" + (hint.map { "; \($0)" } ?? "")
    }
}
