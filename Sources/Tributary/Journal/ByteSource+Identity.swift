import TributaryJSON

extension ByteSource {
    /// The name that identifies the source, whatever the current folder is.
    var identityName: String { (self as? FileSource)?.absolutePath ?? name }
}
