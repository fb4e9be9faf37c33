import Foundation

/// Conversions between the slots of a row and `FilterValue`s, by the type of the attribute.
extension AttributeProperty {
    /// The value of the attribute in a row of its entity.
    package func filterValue(in row: Row) -> FilterValue { type.filterValue(in: row, slot) }

    /// Sets the value of the attribute in a row of its entity.
    ///
    /// A number is accepted by every type that represents it exactly: 3 and 3.0 by integers, 0.1 by decimals, 0 and 1
    /// by booleans. Only a Float rounds, to the nearest number of single precision.
    ///
    /// - Throws: ``AttributeError`` if the attribute cannot have the value; the row is not changed then.
    package func write(_ value: FilterValue, to row: Row) throws(AttributeError) {
        switch (type.kind, value) {
        case (_, .null): row.clear(slot)
        case (.integer16, _), (.integer32, _), (.integer64, _): row.set(try whole(value), slot)
        case (.boolean, _): row.set(try flag(value), slot)
        case (.double, _): row.set(try double(value), slot)
        case (.float, _): row.set(try single(value), slot)
        case (.decimal, _): row.set(Box(try decimal(value)), slot)
        case (.string, .string(let text)): row.set(text, slot)
        case (.json, .string(let text)):
            guard let json = try? JSONText(text) else { throw misfit("text that is not JSON") }
            row.set(json.text, slot)
        case (.date, .date(let date)):
            guard date.timeIntervalSince1970.isFinite else { throw misfit("a date that is infinite or NaN") }
            row.set(date.timeIntervalSince1970, slot)
        case (.binary, .data(let data)), (.transformable, .data(let data)): row.set(data, slot)
        case (.uuid, .uuid(let uuid)): row.set(uuid, slot)
        case (.uri, .url(let url)): row.set(Box(url), slot)
        case (.undefined, _) where !isTransient && !keepsUnchanged(value):
            throw misfit("\(value.kindName), which its column of \(declaration.storage.rawValue) would change")
        case (.undefined, .integer(let number)) where !isTransient: row.set(number, slot)
        case (.undefined, .double(let number)) where !isTransient && !number.isNaN: row.set(number, slot)
        case (.undefined, .string(let text)) where !isTransient: row.set(text, slot)
        case (.undefined, .data(let data)) where !isTransient: row.set(data, slot)
        case (.undefined, _) where !isTransient: throw misfit(value.kindName)
        case (.objectID, .object), (.undefined, _): row.set(Box(value), slot)
        default: throw misfit(value.kindName)
        }
    }

    /// Whether the inferred column has a declared type in which SQLite stores the value as it is.
    private func keepsUnchanged(_ value: FilterValue) -> Bool {
        let kind: ValueKinds =
            switch value {
            case .integer(let number): number.magnitude <= 1 << 53 ? .integer : .largeInteger
            case .double(let number): number == 0 && number.sign == .minus ? .negativeZero : .real
            case .string: .text
            default: []
            }
        let known = declaration.valueKinds
        return known.isEmpty || known.union(kind).storage == known.storage
    }

    private func misfit(_ found: String) -> AttributeError { AttributeError(self, found: found) }

    /// The number in `value`; booleans are not numbers.
    private func number(_ value: FilterValue) throws(AttributeError) -> FilterNumber {
        if case .boolean = value { throw misfit(value.kindName) }
        guard let number = FilterNumber(value) else { throw misfit(value.kindName) }
        if number.isNaN { throw misfit("NaN") }
        return number
    }

    private func whole(_ value: FilterValue) throws(AttributeError) -> Int64 {
        guard let whole = try number(value).whole else {
            throw misfit("a number with a fraction, or beyond 64 bits")
        }
        return whole
    }

    private func flag(_ value: FilterValue) throws(AttributeError) -> Int64 {
        if case .boolean(let flag) = value { return flag ? 1 : 0 }
        guard let number = try number(value).whole, 0...1 ~= number else {
            throw misfit("a number that is neither 0 nor 1")
        }
        return number
    }

    private func double(_ value: FilterValue) throws(AttributeError) -> Double {
        let number = try number(value)
        guard number.order(to: .double(number.double)) == .orderedSame else {
            throw misfit("a number with more digits than a Double has")
        }
        return number.double
    }

    private func single(_ value: FilterValue) throws(AttributeError) -> Double {
        let number = try number(value).double
        let single = Float(number)
        guard single.isFinite || number.isInfinite else { throw misfit("a number beyond single precision") }
        return Double(single)
    }

    private func decimal(_ value: FilterValue) throws(AttributeError) -> Decimal {
        guard let decimal = try number(value).asDecimal else {
            throw misfit("a number that no decimal represents exactly")
        }
        return decimal
    }
}

extension AttributeType {
    /// The value in a slot of an attribute of this type.
    package func filterValue(in row: Row, _ slot: Int) -> FilterValue {
        switch row.kind(slot) {
        case .null: .null
        case .integer: self == .boolean ? .boolean(row.integer(slot) != 0) : .integer(row.integer(slot))
        case .double:
            self == .date ? .date(Date(timeIntervalSince1970: row.double(slot))) : .double(row.double(slot))
        case .text: .string(row.text(slot))
        case .data: .data(row.data(slot))
        case .uuid: .uuid(row.uuid(slot))
        case .boxed: Self.boxedValue(row.boxed(slot))
        }
    }

    private static func boxedValue(_ box: AnyObject) -> FilterValue {
        switch box {
        case let box as Box<Decimal>: return .decimal(box.value)
        case let box as Box<URL>: return .url(box.value)
        case let box as Box<FilterValue>: return box.value
        default: fatalError("internal error: a slot holds an object that is not the value of an attribute")
        }
    }
}

extension FilterNumber {
    fileprivate var isNaN: Bool {
        switch self {
        case .integer: false
        case .double(let number): number.isNaN
        case .decimal(let number): number.isNaN
        }
    }
}

extension FilterValue {
    /// The kind of the value, for messages that must not show the value.
    var kindName: String {
        switch self {
        case .null: "null"
        case .integer: "a whole number"
        case .double: "a floating point number"
        case .decimal: "a decimal number"
        case .string: "text"
        case .date: "a date"
        case .data: "bytes"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .boolean: "true or false"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
