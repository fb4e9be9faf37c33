extension FilterError {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case syntax = "filter.syntax"
            case text = "filter.text"
            case number = "filter.number"
            case depth = "filter.depth"
            case unsupported = "filter.unsupported"
            case argument = "filter.argument"
            case variable = "filter.variable"
            case key = "filter.key"
            case toMany = "filter.to-many"
            case operand = "filter.operand"
            case pattern = "filter.pattern"
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The name, safe to store and compare.
        public var description: String { kind.rawValue }

        /// The text does not follow the grammar.
        public static let syntax = Code(.syntax)
        /// A quoted text without its closing quote, or an invalid escape.
        public static let text = Code(.text)
        /// A number that is not valid or out of range.
        public static let number = Code(.number)
        /// The text is nested too deep.
        public static let depth = Code(.depth)
        /// A part of the language that is not supported.
        public static let unsupported = Code(.unsupported)
        /// An argument of a format is missing, or is of the wrong kind.
        public static let argument = Code(.argument)
        /// A variable without a value.
        public static let variable = Code(.variable)
        /// A key that the subject does not know.
        public static let key = Code(.key)
        /// A path to several values where a single value is needed.
        public static let toMany = Code(.toMany)
        /// A value of the wrong type for an operation.
        public static let operand = Code(.operand)
        /// A regular expression that is not valid.
        public static let pattern = Code(.pattern)
    }
}
