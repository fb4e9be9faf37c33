public import Foundation

/// A text of JSON with a UUID.
extension UUID: JSONConvertible {
    /// A string of 32 hexadecimal digits in five groups.
    public init(json: JSON) throws {
        let text = try String(json: json)
        guard let value = UUID(uuidString: text) else { throw json.malformed(expected: "a UUID") }
        self = value
    }
}

/// A text of JSON with an address.
extension URL: JSONConvertible {
    /// A string that is a URL.
    public init(json: JSON) throws {
        let text = try String(json: json)
        guard let value = URL(string: text) else { throw json.malformed(expected: "a URL") }
        self = value
    }
}

/// A text of JSON in base64.
extension Data: JSONConvertible {
    /// A string in base64, of either alphabet, with or without padding.
    public init(json: JSON) throws {
        let text = try String(json: json).replacing("-", with: "+").replacing("_", with: "/")
        let padding = text.hasSuffix("=") ? 0 : (4 - text.utf8.count % 4) % 4
        guard let value = Data(base64Encoded: text + String(repeating: "=", count: padding)) else {
            throw json.malformed(expected: "base64")
        }
        self = value
    }
}

/// A text of JSON with a date in ISO 8601; other forms need `date(_:format:)`.
extension Date: JSONConvertible {
    /// A string in ISO 8601; other forms are read by `date(_:format:)`.
    public init(json: JSON) throws { self = try json.requireDate(.iso8601) }
}

extension JSON {
    /// The value as a date in `format`, or an error if it is missing, null or something else.
    public func requireDate(_ format: DateFormat) throws -> Date {
        switch kind {
        case .missing, .null: throw absent()
        case .number, .string:
            let isText = kind == .string
            let text = isText ? try String(json: self) : rawText
            guard let seconds = format.seconds(text, isText: isText) else {
                throw malformed(expected: "a date as \(format)")
            }
            // From year 1 to year 9999.
            guard seconds >= -62_135_596_800, seconds < 253_402_300_800 else {
                throw outOfRange(expected: "a date between the years 1 and 9999")
            }
            return Date(timeIntervalSince1970: seconds)
        default: throw mismatch(expected: "a date as \(format)")
        }
    }

    /// Reads the value, usually an object, through `Decodable`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder())
        throws
        -> Value
    {
        guard !isMissing else { throw absent() }
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return try decoder.decode(type, from: Data(bytes))
    }
}

extension Record {
    /// The member `key` as a date in `format`; nil if it is missing or null.
    ///
    /// - Throws: a `JSONError` if it is something else.
    public func date(_ key: String, format: DateFormat) throws -> Date? {
        let member: JSON = self[key]
        return member.isMissing || member.isNull ? nil : try member.requireDate(format)
    }

    /// Reads the record through `Decodable`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder())
        throws
        -> Value
    {
        try value.decode(type, by: decoder)
    }
}
