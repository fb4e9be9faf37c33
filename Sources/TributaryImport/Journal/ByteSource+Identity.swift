import TributaryJSON

extension ByteSource {
    /// The name that identifies the source, whatever the current folder is.
    ///
    /// The name of a member of an archive begins with that of the archive.
    package var identityName: String { file.map { $0.absolutePath + name.dropFirst($0.name.count) } ?? name }
}
