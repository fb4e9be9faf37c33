import Foundation
import TributarySQLite

/// Conversion of filter values to column values, without loss.
enum StoredValue {
    /// The value for a column of a type; nil if the column cannot represent it.
    static func encode(_ value: FilterValue, as type: AttributeType) -> SQLValue? {
        switch (type.kind, value) {
        case (_, .null): .null
        case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean): nil
        case (.integer16, _), (.integer32, _), (.integer64, _): FilterNumber(value)?.whole.map(SQLValue.integer)
        case (.boolean, .boolean(let flag)): .integer(flag ? 1 : 0)
        case (.boolean, .integer(let number)): number == 0 || number == 1 ? .integer(number) : nil
        case (.double, _): fraction(value) { $0 }
        case (.float, _): fraction(value) { Double(Float($0)) }
        case (.decimal, .boolean): nil
        case (.decimal, _): FilterNumber(value)?.asDecimal.flatMap { $0.isNaN ? nil : .text("\($0)") }
        case (.string, .string(let text)): .text(text)
        case (.date, .date(let date)):
            date.timeIntervalSince1970.isNaN ? nil : .real(date.timeIntervalSince1970)
        case (.binary, .data(let data)): .blob(Array(data))
        case (.uuid, .uuid(let uuid)): .text(uuid.uuidString)
        case (.uri, .url(let url)): .text(url.absoluteString)
        // The primary key of an object.
        case (.objectID, .integer(let key)): .integer(key)
        default: nil
        }
    }

    private static func fraction(_ value: FilterValue, _ round: (Double) -> Double) -> SQLValue? {
        if case .boolean = value { return nil }
        guard let number = FilterNumber(value), number.order(to: .double(number.double)) == .orderedSame else {
            return nil
        }
        let rounded = round(number.double)
        return rounded.isFinite == number.double.isFinite ? .real(rounded) : nil
    }

    // MARK: SQL functions

    /// Defines `_store(name, type, required, kind, value)`, which converts a computed value to its column's type.
    static func define(on connection: Connection) throws {
        try connection.define("_store", argumentCount: 5) { arguments in
            guard case .text(let name) = arguments[0], case .text(let text) = arguments[1],
                let kind = AttributeType.Kind(rawValue: text)
            else { return .null }
            let type = AttributeType(kind: kind)
            let value = FilterFunctions.value(arguments, 3)
            if value.isNull, arguments[2] == .integer(1) { throw FunctionError(missing(name)) }
            guard let stored = encode(value, as: type) else { throw FunctionError(misfit(name, type)) }
            return stored
        }
    }

    /// Defines `_bounded(slot, name, stored, kind, value)`, which checks the bounds of a computed value and returns the
    /// value to store.
    ///
    /// The bounds are those of one entity; they replace the bounds of the previous call.
    static func define(_ bounds: [AttributeBounds], on connection: Connection) throws {
        if bounds.isEmpty { return }
        try connection.define("_bounded", argumentCount: 5) { arguments in
            guard case .integer(let slot) = arguments[0], case .text(let name) = arguments[1] else { return .null }
            for bounds in bounds where bounds.attribute.slot == Int(slot) {
                if let error = boundsError(FilterFunctions.value(arguments, 3), bounds, name) {
                    throw FunctionError(error)
                }
            }
            return arguments[2]
        }
    }

    // MARK: Errors

    /// The error for a value outside its bounds; nil if it is within them.
    static func boundsError(_ value: FilterValue, _ bounds: AttributeBounds, _ name: String) -> FetchError? {
        bounds.faults(value).first.map { FetchError(.value, "\(name) \($0.reason)") }
    }

    static func missing(_ name: String) -> FetchError {
        FetchError(.required, "\(name) is required and cannot be set to null")
    }

    static func misfit(_ name: String, _ type: AttributeType) -> FetchError {
        FetchError(.value, "\(name) is of type \(type), and the new value is not; convert it with CAST")
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
