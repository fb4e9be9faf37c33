import TributarySQLite

/// What tells one object from another: attributes of the object, and where their values stand in a record.
public struct ImportKey: Sendable, Hashable {
    /// One attribute of a key.
    public struct Part: Sendable, Hashable {
        /// The attribute's name.
        public let attribute: String
        /// Where its value stands in a record.
        public let remote: RemoteKey
    }

    /// The attributes, in the order in which they are compared.
    public let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    /// Attributes, and where their values stand; under their own names, if nothing else is said.
    public init(_ attributes: [String], remote: [RemoteKey]? = nil) {
        parts = attributes.enumerated().map { index, name in
            Part(
                attribute: name,
                remote: remote.flatMap { index < $0.count ? $0[index] : nil } ?? RemoteKey(path: [name]))
        }
    }

    /// Sees to it that the key is not longer than one can be.
    func demandSize() throws {
        guard parts.count > KeyTable.width else { return }
        throw ImportError(
            .route, "a key of \(parts.count) attributes is too long", hint: "\(KeyTable.width) is the most")
    }

    /// One attribute.
    public init(_ attribute: String, remote: RemoteKey? = nil) {
        self.init([attribute], remote: remote.map { [$0] })
    }
}
