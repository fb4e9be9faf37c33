/// A type that a JSON value can be converted to.
///
/// Conform a type of your own:
///
///     struct Point: JSONConvertible {
///         let x, y: Double
///         init(json: JSON) throws {
///             x = try json["x"].require()
///             y = try json["y"].require()
///         }
///     }
///     let place: Point? = record["place"]
///
/// An enum with raw values needs only the declaration of the conformance.
public protocol JSONConvertible {
    /// Reads `json`, which is neither missing nor null.
    ///
    /// - Throws: a `JSONError`, best made by `json.mismatch(expected:)`.
    init(json: borrowing JSON) throws
}

/// A type with a placeholder for a value that could not be read.
///
/// The placeholder is never stored, because the record that needed it has failed.
public protocol JSONDefaultConvertible: JSONConvertible {
    /// The value that is assigned to a property of a non-optional type where there is no value.
    static var jsonPlaceholder: Self { get }
}

extension JSON {
    /// The value as `type`, or an error if it is missing, null or of another type.
    public func require<Value: JSONConvertible>(_ type: Value.Type = Value.self) throws -> Value {
        guard isPresent else { throw absent() }
        return try Value(json: self)
    }

    /// The member `key` as `type`, or an error if it is missing, null or of another type.
    public func require<Value: JSONConvertible>(_ key: String, as type: Value.Type = Value.self) throws -> Value {
        let member: JSON = self[key]
        guard !member.isMissing else { throw lacks(key) }
        return try member.require(type)
    }

    /// The value as the type of the left side; nil if it is missing or null.
    ///
    /// For a value of another type the result is nil as well, and the record remembers the failure.
    @inlinable
    public func read<Value: JSONConvertible>(as type: Value.Type = Value.self) -> Value? {
        guard isPresent else { return nil }
        do {
            return try Value(json: self)
        } catch {
            remember(error)
            return nil
        }
    }

    /// The member `key` as the type of the left side; nil if it is missing or null.
    @inlinable
    public subscript<Value: JSONConvertible>(key: String) -> Value? { (self[key] as JSON).read() }

    /// The element at `index` as the type of the left side; nil if it is missing or null.
    @inlinable
    public subscript<Value: JSONConvertible>(index: Int) -> Value? { (self[index] as JSON).read() }

    /// The element at `index` as the type of the left side.
    ///
    /// If it is missing, null or of another type, the result is a placeholder, and the record remembers the failure.
    public subscript<Value: JSONDefaultConvertible>(index: Int) -> Value {
        do {
            return try (self[index] as JSON).require()
        } catch {
            remember(error)
            return Value.jsonPlaceholder
        }
    }

    /// The member `key` as the type of the left side.
    ///
    /// If it is missing, null or of another type, the result is a placeholder, and the record remembers the failure.
    public subscript<Value: JSONDefaultConvertible>(key: String) -> Value {
        do {
            return try require(key)
        } catch {
            remember(error)
            return Value.jsonPlaceholder
        }
    }

    /// Stores `error` as the failure of the record.
    @usableFromInline
    func remember(_ error: any Error) {
        let failure = error as? JSONError ?? failure(.convertFormat, "\(error)")
        Record(storage: storage, index: record).fail(failure)
    }
}

// MARK: Errors

extension JSON {
    /// An error for a value of another type than `expected`.
    public func mismatch(expected: String) -> JSONError {
        failure(.convertType, "found \(summary), expected \(expected)")
    }

    /// An error for a number that is too large, or not exact, for `expected`.
    public func outOfRange(expected: String) -> JSONError {
        failure(.convertRange, "found \(summary), which is not exactly \(expected)")
    }

    /// An error for text that is not in the format of `expected`.
    public func malformed(expected: String) -> JSONError {
        failure(.convertFormat, "found \(summary), expected \(expected)")
    }

    func absent() -> JSONError {
        failure(.convertMissing, isNull ? "found null, expected a value" : "found nothing, expected a value")
    }

    private func lacks(_ key: String) -> JSONError {
        var error = failure(.convertMissing, "found no member \(Excerpt.escape(key)), expected a value")
        error.path = (path + [.key(key)]).jsonPath
        return error
    }

    /// An error about this value, with its position and path.
    package func failure(_ code: JSONError.Code, _ reason: String) -> JSONError {
        var error = JSONError(code, reason, position: storage.position(rawRange.lowerBound))
        error.record = Record(storage: storage, index: record).number
        error.path = path.jsonPath
        return error
    }

    /// The type and the beginning of the value, for messages.
    private var summary: String {
        switch kind {
        case .missing: return "nothing"
        case .null: return "null"
        case .boolean, .number: return withRawBytes { Excerpt.around(0, in: $0, after: 40) }
        case .string: return "the string " + withRawBytes { Excerpt.around(0, in: $0, after: 40) }
        case .array: return "an array"
        case .object: return "an object"
        }
    }
}
