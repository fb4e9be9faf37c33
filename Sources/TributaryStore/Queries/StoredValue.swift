import Foundation
package import TributarySQLite

/// Conversion of values to those of columns, without loss, as an object that is set to the value stores it.
package enum StoredValue {
    /// The value for the column of an attribute; throws if the attribute cannot have it.
    package static func encode(
        _ value: FilterValue, for attribute: AttributeProperty
    ) throws(AttributeError) -> SQLValue {
        let row = Row.allocate(attribute.slot + 1)
        defer { row.deallocate() }
        try attribute.write(value, to: row)
        return attribute.storedValue(in: row)
    }

    /// The value for the column of an attribute with these bounds; throws if the attribute cannot have it.
    static func encode(
        _ value: FilterValue, for attribute: AttributeProperty, _ bounds: AttributeBounds?
    ) throws(FetchError) -> SQLValue {
        let name = "\(attribute.entity.name).\(attribute.name)"
        if value.isNull, !attribute.isOptional { throw missing(name) }
        let stored: SQLValue
        do {
            stored = try encode(value, for: attribute)
        } catch {
            throw FetchError(
                .value, "\(name) cannot be set to \(error.found), expected \(error.expected); convert it with CAST")
        }
        if let fault = bounds?.faults(value).first {
            throw FetchError(.value, "\(name) \(fault.reason)")
        }
        return stored
    }

    /// Defines `_store(slot, kind, value)`, which converts a computed value to that of the column of a property.
    ///
    /// The properties are those of one entity; they replace those of the previous call.
    static func define(for entity: Entity, on connection: Connection) throws {
        let bounds = entity.properties.map { $0.attribute.flatMap(AttributeBounds.init) }
        try connection.define("_store", argumentCount: 3) { arguments in
            guard case .integer(let slot) = arguments[0] else { return .null }
            switch entity.properties[Int(slot)] {
            case .attribute(let attribute):
                do throws(FetchError) {
                    return try encode(FilterFunctions.value(arguments, 1), for: attribute, bounds[Int(slot)])
                } catch {
                    throw FunctionError(error)
                }
            case .relationship(let relationship):
                guard arguments[2] == .null else { return arguments[2] }
                throw FunctionError(missing("\(entity.name).\(relationship.name)"))
            }
        }
    }

    // MARK: Errors

    static func missing(_ name: String) -> FetchError {
        FetchError(.required, "\(name) is required and cannot be set to null")
    }

    /// The `FetchError` that an SQL function threw, if `error` carries one; else `error` itself.
    static func unwrapped(_ error: any Error) -> any Error {
        guard let error = error as? SQLiteError, let carried = FunctionError(text: error.message) else { return error }
        return carried.error
    }

    /// A `FetchError` of an SQL function as text that begins with its code, because SQLite carries only text.
    private struct FunctionError: Error, CustomStringConvertible {
        private static let codes = [FetchError.Code.required, .value]
        let error: FetchError

        init(_ error: FetchError) { self.error = error }

        init?(text: String) {
            guard let code = Self.codes.first(where: { text.hasPrefix("\($0): ") }) else { return nil }
            error = FetchError(code, String(text.dropFirst("\(code): ".count)))
        }

        var description: String { "\(error.code): \(error.reason)" }
    }
}
