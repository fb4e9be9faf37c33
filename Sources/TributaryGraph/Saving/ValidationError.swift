/// A violated rule for a value of an object, or for the object as a whole.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case missing, tooFew, tooMany, denied, tooLarge, tooSmall, tooLong, tooShort, pattern, custom, dangling,
                notANumber
        }
        private let kind: Kind

        /// A required value is missing.
        public static let missing = Code(kind: .missing)
        /// A relationship has too few objects.
        public static let tooFew = Code(kind: .tooFew)
        /// A relationship has too many objects.
        public static let tooMany = Code(kind: .tooMany)
        /// A deny rule prevents the deletion of the object.
        public static let denied = Code(kind: .denied)
        /// A number or date is above the maximum.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A number or date is below the minimum.
        public static let tooSmall = Code(kind: .tooSmall)
        /// A string is longer than allowed.
        public static let tooLong = Code(kind: .tooLong)
        /// A string is shorter than allowed.
        public static let tooShort = Code(kind: .tooShort)
        /// A string does not match its regular expression.
        public static let pattern = Code(kind: .pattern)
        /// A date is NaN.
        public static let notANumber = Code(kind: .notANumber)
        /// A validation method of the class threw an error.
        public static let custom = Code(kind: .custom)
        /// A relationship refers to an object that was discarded before it was saved.
        public static let dangling = Code(kind: .dangling)
    }

    /// The kind of an error.
    public let code: Code
    /// The ID under which the context has the object.
    public let objectID: ObjectID
    /// The property; nil for the object as a whole.
    public let property: String?
    /// What was found and expected.
    public let reason: String
    /// The error that a validation method of the class threw.
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

    /// The entity, the property and the reason, without the value.
    public var description: String {
        "\(objectID.entity.name)\(property.map { ".\($0)" } ?? "") \(reason)"
    }
}

extension ValidationError.Code {
    init(_ bound: AttributeBounds.Bound) {
        self =
            switch bound {
            case .minimum: .tooSmall
            case .maximum: .tooLarge
            case .minimumLength: .tooShort
            case .maximumLength: .tooLong
            case .pattern: .pattern
            }
    }
}
