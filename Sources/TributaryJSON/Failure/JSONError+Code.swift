extension JSONError {
    /// A stable name for a kind of failure.
    ///
    /// The part before the point is the category: `source`, `compression`, `encoding`, `syntax`, `text`, `limit`,
    /// `shape`, `recovery`, `convert`, and for imports also `key`, `setter`, `validate`, `store`.
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
            case keyMissing = "key.missing"
            case keyNull = "key.null"
            case keyType = "key.type"
            case keyChanged = "key.changed"
            case keyTaken = "key.taken"
            case keyDeleted = "key.deleted"
            case setterFailed = "setter.failed"
            case validateRequired = "validate.required"
            case validateRange = "validate.range"
            case validateLength = "validate.length"
            case validatePattern = "validate.pattern"
            case validateOther = "validate.other"
            case storeUnique = "store.unique"
            case storeEntity = "store.entity"
            case storeFailed = "store.failed"
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The name, as written in a rejects file.
        public var rawValue: String { kind.rawValue }
        /// The name, as written in a rejects file.
        public var description: String { kind.rawValue }

        /// The source cannot be opened.
        public static let sourceOpen = Code(.sourceOpen)
        /// Reading the source failed.
        public static let sourceRead = Code(.sourceRead)
        /// The source differs from the one of the checkpoint.
        public static let sourceChanged = Code(.sourceChanged)
        /// The format is recognized, but this build or the library cannot read it.
        public static let compressionUnavailable = Code(.compressionUnavailable)
        /// The compressed stream is damaged.
        public static let compressionCorrupt = Code(.compressionCorrupt)
        /// The compressed stream ends too early.
        public static let compressionTruncated = Code(.compressionTruncated)
        /// Something else follows the compressed stream.
        public static let compressionTrailing = Code(.compressionTrailing)
        /// The decompressed bytes are compressed as well.
        public static let compressionNested = Code(.compressionNested)
        /// The stream exceeds the permitted ratio of decompressed to compressed bytes.
        public static let compressionBomb = Code(.compressionBomb)
        /// The stream needs a larger window than permitted.
        public static let compressionWindow = Code(.compressionWindow)
        /// Invalid UTF-16 or UTF-32.
        public static let encodingInvalid = Code(.encodingInvalid)
        /// A byte that the grammar does not allow at its position.
        public static let syntaxUnexpected = Code(.syntaxUnexpected)
        /// The text ends in the middle of a value.
        public static let syntaxTruncated = Code(.syntaxTruncated)
        /// Something else follows the end of the text.
        public static let syntaxTrailing = Code(.syntaxTrailing)
        /// Two values with no blank between them.
        public static let syntaxGlued = Code(.syntaxGlued)
        /// Invalid UTF-8.
        public static let textUTF8 = Code(.textUTF8)
        /// One half of a surrogate pair alone.
        public static let textSurrogate = Code(.textSurrogate)
        /// A control character that must be escaped.
        public static let textControl = Code(.textControl)
        /// An escape sequence that does not exist.
        public static let textEscape = Code(.textEscape)
        /// Arrays and objects nested too deeply.
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
        /// Several arrays could hold the records.
        public static let shapeAmbiguous = Code(.shapeAmbiguous)
        /// The path cannot be parsed, or two paths overlap.
        public static let shapePath = Code(.shapePath)
        /// The source has nothing at the path.
        public static let shapeMissing = Code(.shapeMissing)
        /// A record has a member with the name that is reserved for its key.
        public static let shapeKeyName = Code(.shapeKeyName)
        /// No further record was found after a damaged one.
        public static let recoveryLost = Code(.recoveryLost)
        /// A value has another type than expected.
        public static let convertType = Code(.convertType)
        /// A number is out of the range of its type.
        public static let convertRange = Code(.convertRange)
        /// A required value is missing or null.
        public static let convertMissing = Code(.convertMissing)
        /// Text that is not in the expected format.
        public static let convertFormat = Code(.convertFormat)

        /// A record without its key.
        public static let keyMissing = Code(.keyMissing)
        /// A record whose key is null.
        public static let keyNull = Code(.keyNull)
        /// A key that no object can have.
        public static let keyType = Code(.keyType)
        /// A setter changed the key of its object.
        public static let keyChanged = Code(.keyChanged)
        /// A setter inserted a second object with an existing key.
        public static let keyTaken = Code(.keyTaken)
        /// A setter deleted its object.
        public static let keyDeleted = Code(.keyDeleted)
        /// A setter threw another error.
        public static let setterFailed = Code(.setterFailed)
        /// A required value is missing.
        public static let validateRequired = Code(.validateRequired)
        /// A number or a date is out of bounds.
        public static let validateRange = Code(.validateRange)
        /// Text is too short or too long.
        public static let validateLength = Code(.validateLength)
        /// Text does not match its pattern.
        public static let validatePattern = Code(.validatePattern)
        /// An object violates another rule of its model or its class.
        public static let validateOther = Code(.validateOther)
        /// Another object has the same unique value.
        public static let storeUnique = Code(.storeUnique)
        /// The key belongs to an object of another entity.
        public static let storeEntity = Code(.storeEntity)
        /// The store rejects the record.
        public static let storeFailed = Code(.storeFailed)
    }
}
