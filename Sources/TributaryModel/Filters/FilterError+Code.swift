extension FilterError {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name, safe to store and compare.
        public let description: String

        private init(_ name: String) { description = name }

        /// The text does not follow the grammar.
        public static let syntax = Code("filter.syntax")
        /// A quoted text without its closing quote, or an invalid escape.
        public static let text = Code("filter.text")
        /// A number that is not valid or out of range.
        public static let number = Code("filter.number")
        /// The text is nested too deep.
        public static let depth = Code("filter.depth")
        /// A part of the language that is not supported.
        public static let unsupported = Code("filter.unsupported")
        /// An argument of a format is missing, or is of the wrong kind.
        public static let argument = Code("filter.argument")
        /// A variable without a value.
        public static let variable = Code("filter.variable")
        /// A key that the subject does not know.
        public static let key = Code("filter.key")
        /// A path to several values where a single value is needed.
        public static let toMany = Code("filter.to-many")
        /// A value of the wrong type for an operation.
        public static let operand = Code("filter.operand")
        /// A regular expression that is not valid.
        public static let pattern = Code("filter.pattern")
    }
}
