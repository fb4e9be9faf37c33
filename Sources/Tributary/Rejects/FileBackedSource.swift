package import TributaryJSON

/// A source that is made from a file: that file tells whether the source has changed.
package protocol FileBackedSource: ByteSource {
    /// The file that it is made from.
    var file: FileSource { get }
}

extension ByteSource {
    /// The file that the source is, or is made from.
    var fileBehind: FileSource? { (self as? FileSource) ?? (self as? any FileBackedSource)?.file }
}
