import Foundation
import TributaryStore
import TributaryJSON

/// Values of columns with a stated type, and converted values.
extension InferredRows {
    /// Adds a value to a column with a conversion or a stated type, or notes why the record is rejected; false if the
    /// column has neither.
    func addByRule(_ members: RawMembers, _ place: Int, _ column: Int) -> Bool {
        guard !conversions[column].isEmpty else {
            guard let type = rules[column] else { return false }
            addTyped(members, place, column, type)
            return true
        }
        let json = members.value(place)
        if isNull(json) {
            batch.addNull()
            return true
        }
        guard var value = ColumnValue(json, unwraps: unwraps) else {
            refuseConversion(conversions[column][0], json, column)
            return true
        }
        for conversion in conversions[column] {
            guard let converted = conversion.apply(to: value) else {
                refuseConversion(conversion, json, column)
                return true
            }
            value = converted
        }
        if key.contains(where: { $0.column == column }), !value.canBeKey(alone: key.count == 1) {
            batch.addNull()
            let name = columns.columns.names[column]
            refusal = JSONError(
                .keyType, "the key \(name) is \(Excerpt.escape(value.text)), which cannot be a key",
                hint: "correct it in the source, or convert it otherwise")
        } else if let type = rules[column] {
            add(value, column, type)
        } else {
            add(value, column)
        }
        return true
    }

    /// Whether a value is null, also as a typed one of Extended JSON.
    func isNull(_ json: JSON) -> Bool {
        switch json.kind {
        case .missing, .null: true
        case .object where unwraps: ExtendedJSON.plain(json) == .null
        default: false
        }
    }

    private func add(_ value: ColumnValue, _ column: Int) {
        switch value.kind {
        case .text: addText(value.text, column)
        case .boolean:
            batch.add(value.text == "true" ? 1 : 0 as Int64)
            note(.integer, column)
        case .number: note(addNumber(value.text, column), column)
        }
    }

    /// Adds a number, and counts it if it is not stored as it is.
    private func addNumber(_ text: String, _ column: Int) -> ValueKinds {
        var text = text
        return text.withUTF8 { addNumber($0, column) }
    }

    private func addNumber(_ text: UnsafeBufferPointer<UInt8>, _ column: Int) -> ValueKinds {
        let form = InferredNumber.add(text, to: batch, numbers)
        if form == .rounded || form == .digits { count(form, column) }
        return form.kind
    }

    // MARK: Stated types

    /// Adds a value as one of a stated type, or notes why the record is rejected.
    private func addTyped(_ members: RawMembers, _ place: Int, _ column: Int, _ type: ColumnInference.ColumnType) {
        let json = members.value(place)
        if json.kind == .null || json.kind == .missing { return batch.addNull() }
        if type == .any, case .number(let text) = members.raw(place) {
            _ = addNumber(text, column)
            return note(.all, column)
        }
        if unwraps, ExtendedJSON.plain(json) == .null { return batch.addNull() }
        if let value = ColumnValue(json, unwraps: unwraps) { return add(value, column, type) }
        var (scratch, container) = ([UInt8](), "")
        json.withCompactBytes(&scratch) { container = String(decoding: $0, as: UTF8.self) }
        add(ColumnValue(.text, container), column, type)
    }

    private func add(_ value: ColumnValue, _ column: Int, _ type: ColumnInference.ColumnType) {
        switch type {
        case .numeric: addNumeric(value, column)
        case .any: addUnchanged(value, column)
        case .text: addText(value.text, column)
        case .integer:
            guard let number = InferredRows.whole(value) else {
                return refuse(value, column, "a whole number of 64 bits")
            }
            batch.add(number)
            note(number.magnitude <= 1 << 53 ? .integer : .largeInteger, column)
        case .real:
            guard let (number, isRounded) = real(value) else { return refuse(value, column, "a number") }
            batch.add(number)
            note(.real, column)
            if isRounded { count(.rounded, column) }
        }
    }

    /// Adds a value as it is, to a column without a declared type.
    private func addUnchanged(_ value: ColumnValue, _ column: Int) {
        switch value.kind {
        case .number: _ = addNumber(value.text, column)
        case .boolean: batch.add(value.text == "true" ? 1 : 0 as Int64)
        case .text: addText(value.text, column)
        }
        note(.all, column)
    }

    /// Adds a number, or text that SQLite does not take for one.
    private func addNumeric(_ value: ColumnValue, _ column: Int) {
        // SQLite would turn the text of a number that it cannot hold into another number.
        if value.kind == .number, InferredNumber.isText(value.text, numbers) {
            return refuse(value, column, "a number that 64 bits or a double hold")
        }
        guard value.kind == .text else { return addUnchanged(value, column) }
        guard InferredRows.looksNumeric(value.text) else { return addText(value.text, column) }
        if let whole = InferredRows.whole(value) {
            batch.add(whole)
            note(.integer, column)
        } else if let (number, _) = real(value), "\(number)" == value.text {
            batch.add(number)
            note(.real, column)
        } else {
            refuse(value, column, "a number, or text that is none")
        }
    }

    /// Whether a numeric column of SQLite would store the number that the text spells.
    private static func looksNumeric(_ text: String) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let spelled = text.utf8.drop(while: isBlank)
        guard let end = spelled.lastIndex(where: { !isBlank($0) }) else { return false }
        // Swift reads hexadecimal numbers and names such as `nan` too.
        return spelled[...end].allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            && Double(Substring(spelled[...end])) != nil
    }

    /// The whole number of a value, also of its text, if the text of the number is the same.
    private static func whole(_ value: ColumnValue) -> Int64? {
        switch value.kind {
        case .boolean: value.text == "true" ? 1 : 0
        case .number: NumberLiteral(ofNumber: value.text).canonical.flatMap { Int64($0) }
        case .text: Int64(value.text).flatMap { "\($0)" == value.text ? $0 : nil }
        }
    }

    /// The double of a value, also of its text, and whether it has other digits.
    private func real(_ value: ColumnValue) -> (Double, isRounded: Bool)? {
        if value.kind == .boolean { return (value.text == "true" ? 1 : 0, false) }
        let text = value.text
        guard let literal = NumberLiteral(text), let number = Double(text), number.isFinite else { return nil }
        if NumberLiteral("\(number)")?.canonical == literal.canonical { return (number, false) }
        // Only decimals are rounded.
        let isDecimal =
            value.kind == .number && text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        return isDecimal && numbers == .rounded && number != 0 ? (number, true) : nil
    }

    // MARK: Rejects

    private func refuse(_ value: ColumnValue, _ column: Int, _ expected: String) {
        batch.addNull()
        let name = columns.columns.names[column]
        refusal = JSONError(
            .convertType, "\(name) takes \(expected), not \(InferredRows.excerpt(value.json))",
            hint: "change the type of \(name)")
    }

    private func refuseConversion(_ conversion: ColumnConversion, _ json: JSON, _ column: Int) {
        batch.addNull()
        let name = columns.columns.names[column]
        refusal = JSONError(
            .convertFormat,
            "\(name) cannot be converted by \(conversion.text): \(InferredRows.excerpt(json.compactText))",
            hint: "correct the value in the source, or convert \(name) otherwise")
    }

    private static func excerpt(_ text: String) -> String { text.prefix(41).count > 40 ? "\(text.prefix(40))…" : text }
}
