/// A source on a server, which tells what version of it is read.
package protocol VersionedSource: ByteSource {
    /// What changes with the content, such as an entity tag; nil if the server tells nothing of that kind.
    func version() throws -> String?
}

extension ByteSource {
    /// The version of a source on a server that tells one.
    package func versionIfTold() throws -> String? { try (self as? any VersionedSource)?.version() }

    /// Whether the source has the same bytes each time it is opened; standard input continues after those that were read.
    package var canBeReadTwice: Bool {
        guard let source = self as? any VersionedSource else { return !(self is DescriptorSource) && byteCount != nil }
        return (try? source.version()) != nil
    }
}
