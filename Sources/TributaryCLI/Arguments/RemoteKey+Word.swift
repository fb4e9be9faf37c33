package import TributaryImport

extension RemoteKey {
    /// The path of a value in a record: `a.b` or, as for `--at`, `.a.b` and `["a.b"]`; `.` is the record itself.
    package init(word: String) {
        if word.contains("[\""), let path = try? RecordPath(word.hasPrefix(".") ? word : "." + word) {
            self.init(path: path.members)
        } else {
            self = word == "." ? .`self` : RemoteKey(word.hasPrefix(".") ? String(word.dropFirst()) : word)
        }
    }
}
