import TributaryStore
import TributaryJSON

/// The values of a row.
extension InferredRows {
    /// Adds the value of a column, and notes its kind.
    @inline(__always)
    func add(_ members: RawMembers, _ place: Int, _ column: Int) {
        if hasTypes, let type = rules[column] {
            return convert(members, place, column, to: type)
        }
        switch members.raw(place) {
        case .missing, .null, .obstacle: batch.addNull()
        case .boolean(let value):
            batch.add(value ? 1 : 0 as Int64)
            note(.integer, column)
        case .text(let text):
            batch.add(text: UnsafeRawBufferPointer(text))
            note(.text, column)
        case .escapedText(let text):
            batch.withRoomForText(text.count) { RawValue.decode(text, into: $0) }
            note(.text, column)
        case .number(let text):
            let form = InferredNumber.add(text, to: batch, numbers)
            note(form.kind, column)
            if form == .rounded || form == .digits { count(form, column) }
        case .container:
            let value = members.value(place)
            if unwraps, let plain = ExtendedJSON.plain(value) {
                batch.add(plain.stored)
                return note(plain.kind, column)
            }
            noteObjects(value, column)
            ExtendedJSON.withBytes(value, unwraps: unwraps, &text) { batch.add(text: $0) }
            note(.text, column)
        }
    }

    /// The number of values of a column that are looked at in a chunk.
    private static let inspectedValues: UInt8 = 5

    /// Notes a column whose values are objects, or arrays of objects, with an id.
    private func noteObjects(_ value: JSON, _ column: Int) {
        guard !isFixed, shaping == nil else { return }
        while inspected.count <= column { inspected.append(0) }
        guard inspected[column] < InferredRows.inspectedValues else { return }
        inspected[column] += 1
        let object = value.kind == .array ? value.elements.first { $0.kind == .object } : value
        guard let object, object.hasID else { return }
        inspected[column] = InferredRows.inspectedValues
        report.addObjects(columns.columns.names[column])
    }

    private func count(_ form: InferredNumber.Form, _ column: Int) {
        let name = columns.columns.names[column]
        if form == .rounded { report.rounded[name, default: 0] += 1 } else { report.digits[name, default: 0] += 1 }
    }

    // MARK: Stated types

    /// Adds a value as one of a stated type, or notes why the record is rejected.
    private func convert(_ members: RawMembers, _ place: Int, _ column: Int, to type: ColumnInference.ColumnType) {
        let value = members.value(place)
        if value.kind == .null || value.kind == .missing { return batch.addNull() }
        switch type {
        case .numeric: addNumeric(value, members, place, column)
        case .any: addUnchanged(value, members, place, column)
        case .text: addText(InferredRows.plainText(value), column)
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
    private func addUnchanged(_ value: JSON, _ members: RawMembers, _ place: Int, _ column: Int) {
        switch members.raw(place) {
        case .number(let text):
            let form = InferredNumber.add(text, to: batch, numbers)
            if form == .rounded || form == .digits { count(form, column) }
        case .boolean(let value): batch.add(value ? 1 : 0 as Int64)
        default: addText(InferredRows.plainText(value), column)
        }
        note(.all, column)
    }

    /// Adds a number, or text that SQLite does not take for one.
    private func addNumeric(_ value: JSON, _ members: RawMembers, _ place: Int, _ column: Int) {
        // SQLite would turn the text of a number that it cannot hold into another number.
        if value.kind == .number, InferredNumber.isText(value, numbers) {
            return refuse(value, column, "a number that 64 bits or a double hold")
        }
        guard value.kind == .string else { return addUnchanged(value, members, place, column) }
        let text = InferredRows.plainText(value)
        guard InferredRows.looksNumeric(text) else { return addText(text, column) }
        if let whole = InferredRows.whole(value) {
            batch.add(whole)
            note(.integer, column)
        } else if let (number, _) = real(value), "\(number)" == text {
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

    func addText(_ text: String, _ column: Int) {
        var text = text
        text.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
        note(.text, column)
    }

    /// The text of a string, or the JSON of another value.
    private static func plainText(_ value: JSON) -> String {
        if value.kind == .string, let text = try? String(json: value) { return text }
        var (scratch, text) = ([UInt8](), "")
        value.withCompactBytes(&scratch) { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// The whole number of a value, also of its text, if the text of the number is the same.
    private static func whole(_ value: JSON) -> Int64? {
        switch value.kind {
        case .boolean: return value.compactText == "true" ? 1 : 0
        case .number: return NumberLiteral(json: value)?.canonical.flatMap { Int64($0) }
        case .string: return Int64(plainText(value)).flatMap { "\($0)" == plainText(value) ? $0 : nil }
        default: return nil
        }
    }

    /// The double of a value, also of its text, and whether it has other digits.
    private func real(_ value: JSON) -> (Double, isRounded: Bool)? {
        if value.kind == .boolean { return (value.compactText == "true" ? 1 : 0, false) }
        let text = InferredRows.plainText(value)
        guard value.kind == .number || value.kind == .string, let literal = NumberLiteral(text),
            let number = Double(text), number.isFinite
        else { return nil }
        if NumberLiteral("\(number)")?.canonical == literal.canonical { return (number, false) }
        // Only decimals are rounded.
        let isDecimal =
            value.kind == .number && text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        return isDecimal && numbers == .rounded && number != 0 ? (number, true) : nil
    }

    private func refuse(_ value: JSON, _ column: Int, _ expected: String) {
        batch.addNull()
        let name = columns.columns.names[column]
        let text = value.compactText
        let shown = text.count > 40 ? "\(text.prefix(40))…" : text
        refusal = JSONError(.convertType, "\(name) takes \(expected), not \(shown)", hint: "change the type of \(name)")
    }
}
