import TributaryJSON

extension ByteSource {
    /// What tells the source from others, in any folder.
    var identityName: String { (self as? FileSource)?.absolutePath ?? name }
}
