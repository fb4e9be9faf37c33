import Foundation
import TributarySQLite

/// Values of filters in the form in which columns keep them; what a column cannot hold as it is has none.
enum StoredValue {
    /// The value for a column of a type; nil if it would be another one.
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
        // The number of an object.
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

    // MARK: In SQL

    /// Defines what makes computed values fit: `_store(name, type, required, kind, value)`.
    static func define(on connection: Connection) throws {
        try connection.define("_store", argumentCount: 5) { arguments in
            guard case .text(let name) = arguments[0], case .text(let text) = arguments[1],
                let kind = AttributeType.Kind(rawValue: text)
            else { return .null }
            let type = AttributeType(kind: kind)
            let value = FilterFunctions.value(arguments, 3)
            if value.isNull, arguments[2] == .integer(1) { throw StoredValue.missing(name) }
            guard let stored = encode(value, as: type) else { throw StoredValue.misfit(name, type) }
            return stored
        }
    }

    /// Defines what keeps computed values within their bounds: `_bounded(slot, name, stored, kind, value)`; it gives
    /// back what is to be stored.
    ///
    /// The bounds are those of one entity, and hold until the next time.
    static func define(_ bounds: [AttributeBounds], on connection: Connection) throws {
        if bounds.isEmpty { return }
        try connection.define("_bounded", argumentCount: 5) { arguments in
            guard case .integer(let slot) = arguments[0], case .text(let name) = arguments[1] else { return .null }
            for bounds in bounds where bounds.attribute.slot == Int(slot) {
                try check(FilterFunctions.value(arguments, 3), bounds, name)
            }
            return arguments[2]
        }
    }

    /// Throws if a value is outside of its bounds.
    static func check(_ value: FilterValue, _ bounds: AttributeBounds, _ name: String) throws(FetchError) {
        guard let fault = bounds.faults(value).first else { return }
        throw FetchError(.value, "\(name) \(fault.reason)")
    }

    static func missing(_ name: String) -> FetchError {
        FetchError(.required, "\(name) must have a value, and what it is set to is nothing")
    }

    static func misfit(_ name: String, _ type: AttributeType) -> FetchError {
        FetchError(.value, "\(name) is \(type), and what it is set to is not; CAST it")
    }

    /// What a function has thrown, as it comes back from SQLite as text.
    static func unwrapped(_ error: any Error) -> any Error {
        guard let error = error as? SQLiteError, error.message.hasPrefix("fetch: ") else { return error }
        let reason = String(error.message.dropFirst("fetch: ".count))
        return FetchError(reason.hasSuffix("nothing") ? .required : .value, reason)
    }
}
