extension JSONError {
    /// A stable name for a kind of failure.
    ///
    /// The part before the point is the class: `source`, `compression`, `encoding`, `syntax`, `text`, `limit`,
    /// `shape`, `convert`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case sourceOpen = "source.open"
            case sourceRead = "source.read"
            case sourceChanged = "source.changed"
            case compressionUnavailable = "compression.unavailable"
            case compressionCorrupt = "compression.corrupt"
            case compressionTruncated = "compression.truncated"
            case compressionTrailing = "compression.trailing"
            case compressionNested = "compression.nested"
            case compressionBomb = "compression.bomb"
            case compressionWindow = "compression.window"
            case encodingInvalid = "encoding.invalid"
            case syntaxUnexpected = "syntax.unexpected"
            case syntaxTruncated = "syntax.truncated"
            case syntaxTrailing = "syntax.trailing"
            case syntaxGlued = "syntax.glued"
            case textUTF8 = "text.utf8"
            case textSurrogate = "text.surrogate"
            case textControl = "text.control"
            case textEscape = "text.escape"
            case limitDepth = "limit.depth"
            case limitString = "limit.string"
            case limitKey = "limit.key"
            case limitNumber = "limit.number"
            case limitRecord = "limit.record"
            case limitKeys = "limit.keys"
            case limitTotal = "limit.total"
            case shapeAmbiguous = "shape.ambiguous"
            case shapePath = "shape.path"
            case shapeMissing = "shape.missing"
            case shapeKeyName = "shape.key-name"
            case recoveryLost = "recovery.lost"
            case convertType = "convert.type"
            case convertRange = "convert.range"
            case convertMissing = "convert.missing"
            case convertFormat = "convert.format"
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The name, as it stands in a rejects file.
        public var rawValue: String { kind.rawValue }
        /// The name, as it stands in a rejects file.
        public var description: String { kind.rawValue }

        /// The source cannot be opened.
        public static let sourceOpen = Code(.sourceOpen)
        /// Reading the source failed.
        public static let sourceRead = Code(.sourceRead)
        /// The source is not the one that a checkpoint was taken from.
        public static let sourceChanged = Code(.sourceChanged)
        /// The compression is known, but this build leaves its library out.
        public static let compressionUnavailable = Code(.compressionUnavailable)
        /// The compressed stream is damaged.
        public static let compressionCorrupt = Code(.compressionCorrupt)
        /// The compressed stream ends too early.
        public static let compressionTruncated = Code(.compressionTruncated)
        /// Something else follows the compressed stream.
        public static let compressionTrailing = Code(.compressionTrailing)
        /// The decompressed bytes are compressed again.
        public static let compressionNested = Code(.compressionNested)
        /// The stream grows beyond the permitted ratio.
        public static let compressionBomb = Code(.compressionBomb)
        /// The stream asks for a larger window than permitted.
        public static let compressionWindow = Code(.compressionWindow)
        /// UTF-16 or UTF-32 text that is not well formed.
        public static let encodingInvalid = Code(.encodingInvalid)
        /// A byte that the grammar does not allow in its place.
        public static let syntaxUnexpected = Code(.syntaxUnexpected)
        /// The text ends in the middle of a value.
        public static let syntaxTruncated = Code(.syntaxTruncated)
        /// Something else follows the end of the text.
        public static let syntaxTrailing = Code(.syntaxTrailing)
        /// Two values with no blank between them.
        public static let syntaxGlued = Code(.syntaxGlued)
        /// Bytes that are not UTF-8.
        public static let textUTF8 = Code(.textUTF8)
        /// One half of a surrogate pair alone.
        public static let textSurrogate = Code(.textSurrogate)
        /// A control character that must be escaped.
        public static let textControl = Code(.textControl)
        /// An escape sequence that does not exist.
        public static let textEscape = Code(.textEscape)
        /// Arrays and objects nested too deep.
        public static let limitDepth = Code(.limitDepth)
        /// A string that is too long.
        public static let limitString = Code(.limitString)
        /// A key that is too long.
        public static let limitKey = Code(.limitKey)
        /// A number with too many characters.
        public static let limitNumber = Code(.limitNumber)
        /// A record that is too long.
        public static let limitRecord = Code(.limitRecord)
        /// An object with too many keys.
        public static let limitKeys = Code(.limitKeys)
        /// The text exceeds the permitted total.
        public static let limitTotal = Code(.limitTotal)
        /// Several places could hold the records.
        public static let shapeAmbiguous = Code(.shapeAmbiguous)
        /// The path cannot be read, or paths contradict each other.
        public static let shapePath = Code(.shapePath)
        /// Nothing stands where the path points.
        public static let shapeMissing = Code(.shapeMissing)
        /// A record has a member with the name that its key should get.
        public static let shapeKeyName = Code(.shapeKeyName)
        /// No further record was found behind a damaged one.
        public static let recoveryLost = Code(.recoveryLost)
        /// A value has another type than its reader wants.
        public static let convertType = Code(.convertType)
        /// A number does not fit.
        public static let convertRange = Code(.convertRange)
        /// A required value is missing or null.
        public static let convertMissing = Code(.convertMissing)
        /// Text that is not in the wanted format.
        public static let convertFormat = Code(.convertFormat)
    }
}
