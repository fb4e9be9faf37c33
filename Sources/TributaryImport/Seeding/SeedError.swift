public import TributaryJSON

/// Why a seed cannot be planted: what, in which file, and how to continue.
public struct SeedError: Error, Sendable, CustomStringConvertible {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let description: String
        private init(_ name: String) { description = name }

        /// A file includes itself, directly or through others.
        public static let cycle = Code("seed.cycle")
        /// A file does not exist, or cannot be read.
        public static let unreadable = Code("seed.unreadable")
        /// A file is not JSON, or not of the form of a seed.
        public static let form = Code("seed.form")
        /// The model does not have an entity or a property.
        public static let unknown = Code("seed.unknown")
        /// A property cannot have a value, or a relationship not that many objects.
        public static let value = Code("seed.value")
        /// A reference names no object, or two objects have one name.
        public static let reference = Code("seed.reference")
        /// A remote file is named, and there is no loader.
        public static let networkNotAllowed = Code("seed.network-not-allowed")
        /// A remote file cannot be loaded.
        public static let network = Code("seed.network")
        /// A file may not be included where it is named.
        public static let refused = Code("seed.refused")
        /// Objects violate rules of the model, or another object has their unique value.
        public static let invalid = Code("seed.invalid")
        /// The seed was planted before, and a file has changed since.
        public static let changed = Code("seed.changed")
        /// The stores cannot be seeded in this way.
        public static let stores = Code("seed.stores")
    }

    /// The kind.
    public let code: Code
    /// What happened.
    public let reason: String
    /// The files from the one that the program named to the one that is at fault.
    public let files: [String]
    /// The place in the last file, if it is known.
    public let position: SourcePosition?
    /// How to continue.
    public let hint: String?

    package init(
        _ code: Code, _ reason: String, in files: [String] = [], at position: SourcePosition? = nil, hint: String?
    ) {
        (self.code, self.reason, self.files, self.position, self.hint) = (code, reason, files, position, hint)
    }

    /// The place, what happened and which files include the file.
    public var statement: String {
        let place = position.map { "\($0): " } ?? files.last.map { "\(Excerpt.escape($0)): " } ?? ""
        let including = files.dropLast().reversed().map { "included by \(Excerpt.escape($0))" }
        return place + reason + (including.isEmpty ? "" : " (\(including.joined(separator: ", ")))")
    }

    /// The statement and the hint.
    public var description: String { hint.map { "\(statement); \($0)" } ?? statement }
}
