package import TributaryJSON

/// A source that is made from a file: that file tells whether the source has changed.
package protocol FileBackedSource: ByteSource {
    /// The file that it is made from.
    var file: FileSource { get }
    /// What of the file it is, in words: two parts of one file are imported apart.
    var part: String { get }
}

extension ByteSource {
    /// What tells the source from others, in any folder.
    var identityName: String {
        if let source = self as? any FileBackedSource { return "\(source.file.absolutePath) (\(source.part))" }
        return (self as? FileSource)?.absolutePath ?? name
    }

    /// The file that the source is, or is made from.
    var fileBehind: FileSource? { (self as? FileSource) ?? (self as? any FileBackedSource)?.file }
}
