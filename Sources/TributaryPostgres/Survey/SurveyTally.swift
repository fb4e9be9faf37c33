import Foundation
import TributaryImport
import TributaryJSON

/// The columns of the records of a route that one thread has seen.
final class SurveyTally {
    private let flattens: Bool
    private let isExact: Bool
    /// The paths of the chosen columns; nil for all.
    private let wanted: [[String]]?
    private(set) var columns: [ColumnSurvey.Column] = []
    /// Whether there are more columns than a table can have, so that the rest was not counted.
    private(set) var isFull = false
    private var indexes: [[String]: Int] = [:]
    /// The members of the previous record, as in the source, and their columns.
    private var shape: [(key: [UInt8], column: Int?)] = []
    private var chunk = 0
    private var place = 0
    /// The number of columns that are counted: an object whose members are columns is none, and has one of them at least.
    private static let mostColumns = 2 * InferredTable.mostColumns

    init(_ route: ImportRoute) {
        let shaping = route.inference?.shaping ?? route.table?.shaping
        wanted = shaping?.columns?.map(\.path)
        flattens = shaping?.flatten != nil || wanted != nil
        isExact = route.inference?.numbers == .exact
    }

    /// Begins a chunk.
    func begin(chunk number: Int) { (chunk, place) = (number, 0) }

    /// Adds a record of the chunk.
    func add(_ record: Record) {
        guard record.value.kind == .object else { return note(column([]), kinds(of: record.value)) }
        var members = RawMembers(record)
        var position = 0
        while let member = members.next() {
            if let column = column(of: member, position, members) { note(column, member.place, members) }
            position += 1
        }
    }

    private func column(of member: RawMembers.Member, _ position: Int, _ members: RawMembers) -> Int? {
        if position < shape.count, shape[position].key.count == member.key.count, let key = member.key.baseAddress,
            memcmp(shape[position].key, key, member.key.count) == 0
        {
            return shape[position].column
        }
        let column = column([members.name(member)])
        if position < shape.count {
            shape[position] = (Array(member.key), column)
        } else if position == shape.count, position < Self.mostColumns {
            shape.append((Array(member.key), column))
        }
        return column
    }

    /// The index of the column of a path; nil if it was not chosen, or there are too many.
    private func column(_ path: [String]) -> Int? {
        if let index = indexes[path] { return index }
        guard wanted?.contains(where: { $0.starts(with: path) }) ?? true else { return nil }
        guard columns.count < Self.mostColumns else {
            isFull = true
            return nil
        }
        indexes[path] = columns.count
        columns.append(.init(path: path, kinds: [], first: (chunk, place)))
        place += 1
        return columns.count - 1
    }

    private func note(_ column: Int?, _ kinds: ColumnKinds) {
        if let column { columns[column].kinds.formUnion(kinds) }
    }

    private func note(_ column: Int, _ place: Int, _ members: RawMembers) {
        switch members.raw(place) {
        case .missing, .null, .obstacle: return
        case .boolean: note(column, .boolean)
        case .text, .escapedText: note(column, .text)
        case .number(let text):
            if let number = RawValue.integer(text) {
                return note(column, number.magnitude <= 1 << 53 ? .integer : .largeInteger)
            }
            note(column, kinds(of: members.value(place)))
        case .container:
            let value = members.value(place)
            guard flattens, value.kind == .object, value.members.first(where: { _ in true }) != nil else {
                return note(column, .nested)
            }
            // An object that was chosen is a column as a whole, even if some of its members are others.
            if wanted != nil { note(column, .nested) }
            addMembers(of: value, columns[column].path)
        }
    }

    private func addMembers(of value: JSON, _ path: [String]) {
        guard wanted?.contains(where: { $0.count > path.count && $0.starts(with: path) }) ?? true else { return }
        for (key, inner) in value.members {
            let path = path + [key]
            let hasMembers = inner.kind == .object && inner.members.first(where: { _ in true }) != nil
            if hasMembers { addMembers(of: inner, path) }
            if !hasMembers || wanted != nil { note(column(path), kinds(of: inner)) }
        }
    }

    private func kinds(of value: JSON) -> ColumnKinds {
        switch value.kind {
        case .missing, .null: return []
        case .boolean: return .boolean
        case .string: return .text
        case .array, .object: return .nested
        case .number:
            let text = value.compactText
            let isWhole = !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
            if isWhole, text != "-0" {
                guard let number = Int64(text) else { return isDecimal(text) ? .decimal : .nested }
                return number.magnitude <= 1 << 53 ? .integer : .largeInteger
            }
            let isDecimal = isDecimal(text)
            guard let number = Double(text), number.isFinite, !isExact || InferredNumber.isExact(value) else {
                return isDecimal ? .decimal : .nested
            }
            return isDecimal ? .real : .wide
        }
    }

    /// Whether a number is exactly a decimal one.
    private func isDecimal(_ text: String) -> Bool {
        // So few digits always are.
        if text.utf8.count <= 30, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return true }
        return NumberLiteral(text)?.decimal != nil
    }
}
