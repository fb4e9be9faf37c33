import TributarySQLite

/// The attributes that identify an object, and the paths of their values in a record.
public struct ImportKey: Sendable, Hashable {
    /// One attribute of a key.
    public struct Part: Sendable, Hashable {
        /// The attribute's name.
        public let attribute: String
        /// The path of its value in a record.
        public let remote: RemoteKey
    }

    /// The attributes, in the order in which they are compared.
    public let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    /// A key of several attributes, and the paths of their values; nil for their own names.
    public init(_ attributes: [String], remote: [RemoteKey]? = nil) {
        parts = attributes.enumerated().map { index, name in
            Part(
                attribute: name,
                remote: remote.flatMap { index < $0.count ? $0[index] : nil } ?? RemoteKey(path: [name]))
        }
    }

    /// Throws if the key has more attributes than the store can look up at once.
    func checkLength() throws {
        guard parts.count > KeyTable.width else { return }
        throw ImportError(
            .route, "a key of \(parts.count) attributes is too long", hint: "use at most \(KeyTable.width)")
    }

    /// A key of one attribute, and the path of its value; nil for its own name.
    public init(_ attribute: String, remote: RemoteKey? = nil) {
        self.init([attribute], remote: remote.map { [$0] })
    }
}
