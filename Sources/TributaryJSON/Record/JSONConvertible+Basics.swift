extension JSON: JSONConvertible {
    /// The value itself.
    public init(json: JSON) { self = json }
}

/// `true` or `false` of JSON, nothing else.
extension Bool: JSONDefaultConvertible {
    /// `true` or `false`, nothing else.
    public init(json: borrowing JSON) throws {
        switch json.token {
        case .yes: self = true
        case .no: self = false
        default: throw json.mismatch(expected: "true or false")
        }
    }

    /// `false`.
    public static var jsonPlaceholder: Bool { false }
}

/// A text of JSON; numbers are no texts.
extension String: JSONDefaultConvertible {
    /// The text of a string.
    ///
    /// Numbers are not turned into text.
    public init(json: borrowing JSON) throws {
        switch json.token {
        case .text, .escapedText, .key, .escapedKey: self = json.storage.string(json.storage.word(json.word))
        default: throw json.mismatch(expected: "a string")
        }
    }

    /// The empty string.
    public static var jsonPlaceholder: String { "" }
}

/// An array of JSON; its elements must all be convertible.
extension Array: JSONConvertible where Element: JSONConvertible {
    /// The elements, each of which must be readable.
    public init(json: JSON) throws {
        guard json.kind == .array else { throw json.mismatch(expected: "an array") }
        self = try json.elements.map { try Element(element: $0) }
    }
}

extension Array: JSONDefaultConvertible where Element: JSONConvertible {
    /// The empty array.
    public static var jsonPlaceholder: [Element] { [] }
}

/// An object of JSON; its values must all be convertible.
extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    /// The members, each of which must be readable; the last one of a duplicate key.
    public init(json: JSON) throws {
        guard json.kind == .object else { throw json.mismatch(expected: "an object") }
        self.init(try json.members.map { ($0.key, try Value(element: $0.value)) }, uniquingKeysWith: { $1 })
    }
}

extension Dictionary: JSONDefaultConvertible where Key == String, Value: JSONConvertible {
    /// The empty dictionary.
    public static var jsonPlaceholder: [String: Value] { [:] }
}

/// A value of JSON, or nil for null and for a missing member.
extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// nil for null, as in elements of arrays and members of dictionaries.
    public init(json: JSON) throws { self = json.isNull ? nil : try Wrapped(json: json) }
}

extension JSONConvertible {
    /// Reads an element, which may be null only if its type is optional.
    fileprivate init(element json: JSON) throws {
        guard !json.isNull || Self.self is any AcceptsNull.Type else { throw json.absent() }
        try self.init(json: json)
    }
}

/// A type that can represent null.
private protocol AcceptsNull {}
extension Optional: AcceptsNull {}
extension JSON: AcceptsNull {}

extension JSONConvertible where Self: RawRepresentable, RawValue: JSONConvertible {
    /// The case whose raw value is the JSON value.
    public init(json: JSON) throws {
        guard let value = Self(rawValue: try RawValue(json: json)) else {
            throw json.malformed(expected: "a value of \(Self.self)")
        }
        self = value
    }
}
