/// What is wrong with a value of an object, or with the object.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case missing, tooFew, tooMany, denied, tooLarge, tooSmall, tooLong, tooShort, pattern, custom, dangling,
                notANumber
        }
        private let kind: Kind

        /// There is no value, and there must be one.
        public static let missing = Code(kind: .missing)
        /// There are fewer objects than there must be.
        public static let tooFew = Code(kind: .tooFew)
        /// There are more objects than there may be.
        public static let tooMany = Code(kind: .tooMany)
        /// The object cannot be deleted as long as others belong to it.
        public static let denied = Code(kind: .denied)
        /// A number or a moment is above the greatest allowed.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A number or a moment is below the least allowed.
        public static let tooSmall = Code(kind: .tooSmall)
        /// Text is longer than allowed.
        public static let tooLong = Code(kind: .tooLong)
        /// Text is shorter than allowed.
        public static let tooShort = Code(kind: .tooShort)
        /// Text does not have the form it must have.
        public static let pattern = Code(kind: .pattern)
        /// A moment is NaN, and so none.
        public static let notANumber = Code(kind: .notANumber)
        /// What the class itself found.
        public static let custom = Code(kind: .custom)
        /// A relationship leads to an object that will not be saved.
        public static let dangling = Code(kind: .dangling)
    }

    /// What kind of fault it is.
    public let code: Code
    /// The object; its context has it under this id.
    public let objectID: ObjectID
    /// The property; nil if it is the object as a whole.
    public let property: String?
    /// What was expected.
    public let reason: String
    /// What the class threw, if it is a fault of its own finding.
    public let underlying: (any Error)?

    init(
        _ code: Code, _ object: ManagedObject, _ property: String?, _ reason: String, underlying: (any Error)? = nil
    ) {
        self.code = code
        objectID = object.objectID
        self.property = property
        self.reason = reason
        self.underlying = underlying
    }

    /// What, where and what was expected, without the value.
    public var description: String {
        "\(objectID.entity.name)\(property.map { ".\($0)" } ?? "") \(reason)"
    }
}
