extension JSONError {
    /// A stable name for a kind of failure.
    ///
    /// The part before the point is the category: `source`, `compression`, `encoding`, `syntax`, `text`, `limit`,
    /// `shape`, `recovery`, `convert`, and for imports also `key`, `setter`, `validate`, `store`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name, as written in a rejects file.
        public let rawValue: String
        /// The name, as written in a rejects file.
        public var description: String { rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The source cannot be opened.
        public static let sourceOpen = Code("source.open")
        /// Reading the source failed.
        public static let sourceRead = Code("source.read")
        /// The source differs from the one of the checkpoint.
        public static let sourceChanged = Code("source.changed")
        /// The format is recognized, but this build or the library cannot read it.
        public static let compressionUnavailable = Code("compression.unavailable")
        /// The compressed stream is damaged.
        public static let compressionCorrupt = Code("compression.corrupt")
        /// The compressed stream ends too early.
        public static let compressionTruncated = Code("compression.truncated")
        /// Something else follows the compressed stream.
        public static let compressionTrailing = Code("compression.trailing")
        /// The decompressed bytes are compressed as well.
        public static let compressionNested = Code("compression.nested")
        /// The stream exceeds the permitted ratio of decompressed to compressed bytes.
        public static let compressionBomb = Code("compression.bomb")
        /// The stream needs a larger window than permitted.
        public static let compressionWindow = Code("compression.window")
        /// Invalid UTF-16 or UTF-32.
        public static let encodingInvalid = Code("encoding.invalid")
        /// A byte that the grammar does not allow at its position.
        public static let syntaxUnexpected = Code("syntax.unexpected")
        /// The text ends in the middle of a value.
        public static let syntaxTruncated = Code("syntax.truncated")
        /// Something else follows the end of the text.
        public static let syntaxTrailing = Code("syntax.trailing")
        /// A range of the source does not end with the record that was planned as its last.
        public static let rangeBorder = Code("syntax.range-border")
        /// Two values with no blank between them.
        public static let syntaxGlued = Code("syntax.glued")
        /// Invalid UTF-8.
        public static let textUTF8 = Code("text.utf8")
        /// One half of a surrogate pair alone.
        public static let textSurrogate = Code("text.surrogate")
        /// A control character that must be escaped.
        public static let textControl = Code("text.control")
        /// An escape sequence that does not exist.
        public static let textEscape = Code("text.escape")
        /// Arrays and objects nested too deeply.
        public static let limitDepth = Code("limit.depth")
        /// A string that is too long.
        public static let limitString = Code("limit.string")
        /// A key that is too long.
        public static let limitKey = Code("limit.key")
        /// A number with too many characters.
        public static let limitNumber = Code("limit.number")
        /// A record that is too long.
        public static let limitRecord = Code("limit.record")
        /// An object with too many keys.
        public static let limitKeys = Code("limit.keys")
        /// The text exceeds the permitted total.
        public static let limitTotal = Code("limit.total")
        /// Several arrays could hold the records.
        public static let shapeAmbiguous = Code("shape.ambiguous")
        /// The path cannot be parsed, or two paths overlap.
        public static let shapePath = Code("shape.path")
        /// The source has nothing at the path.
        public static let shapeMissing = Code("shape.missing")
        /// A record has a member with the name that is reserved for its key.
        public static let shapeKeyName = Code("shape.key-name")
        /// No further record was found after a damaged one.
        public static let recoveryLost = Code("recovery.lost")
        /// A value has another type than expected.
        public static let convertType = Code("convert.type")
        /// A number is out of the range of its type.
        public static let convertRange = Code("convert.range")
        /// A required value is missing or null.
        public static let convertMissing = Code("convert.missing")
        /// Text that is not in the expected format.
        public static let convertFormat = Code("convert.format")

        /// A record without its key.
        public static let keyMissing = Code("key.missing")
        /// A record whose key is null.
        public static let keyNull = Code("key.null")
        /// A key that no object can have.
        public static let keyType = Code("key.type")
        /// A setter changed the key of its object.
        public static let keyChanged = Code("key.changed")
        /// A setter inserted a second object with an existing key.
        public static let keyTaken = Code("key.taken")
        /// A setter deleted its object.
        public static let keyDeleted = Code("key.deleted")
        /// A setter threw another error.
        public static let setterFailed = Code("setter.failed")
        /// A required value is missing.
        public static let validateRequired = Code("validate.required")
        /// A number or a date is out of bounds.
        public static let validateRange = Code("validate.range")
        /// Text is too short or too long.
        public static let validateLength = Code("validate.length")
        /// Text does not match its pattern.
        public static let validatePattern = Code("validate.pattern")
        /// An object violates another rule of its model or its class.
        public static let validateOther = Code("validate.other")
        /// Another object has the same unique value.
        public static let storeUnique = Code("store.unique")
        /// A constraint or a trigger of a table of another program refuses the record.
        public static let storeConstraint = Code("store.constraint")
        /// The key belongs to an object of another entity.
        public static let storeEntity = Code("store.entity")
        /// The database cannot hold a value as it is.
        public static let storeValue = Code("store.value")
        /// The store rejects the record.
        public static let storeFailed = Code("store.failed")
    }
}
