import TributaryStore
import TributaryJSON

/// The values of a row.
extension InferredRows {
    /// Adds the value of a column, and notes its kind.
    @inline(__always)
    func add(_ members: RawMembers, _ place: Int, _ column: Int) {
        if hasRules, addByRule(members, place, column) { return }
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

    func count(_ form: InferredNumber.Form, _ column: Int) {
        let name = columns.columns.names[column]
        if form == .rounded { report.rounded[name, default: 0] += 1 } else { report.digits[name, default: 0] += 1 }
    }

    func addText(_ text: String, _ column: Int) {
        var text = text
        text.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
        note(.text, column)
    }
}
