import Foundation
import TributarySQLite
import TributaryStore

/// Counts the values of a column in parts: without a value, with one, ranges, and single values.
///
/// A cell is compared as the filter of its part compares the column, so that the filter matches as many rows.
struct PartCounter {
    /// The rows without a value.
    private(set) var empty: RowPart
    /// The rows with one.
    private(set) var filled: RowPart
    /// Ranges next to one another, in ascending order.
    private(set) var ranges: [RowPart] = []
    /// Single values.
    private(set) var values: [RowPart] = []

    private let kind: ComparedKind
    private let column: Int
    private var bounds: Bounds = .numbers([])
    private var constants: [FilterValue] = []

    private enum Bounds {
        case numbers([Double])
        case values([FilterValue])
        case texts([[UInt8]])
    }

    /// Counts in the column at a place of the results, which has the values at `path`.
    init(_ column: Int, _ path: [String], _ kind: ComparedKind, _ profile: PathProfile?) {
        (self.column, self.kind) = (column, kind)
        let value = FilterExpression.keyPath(path)
        empty = RowPart("empty", Filter(value, .equal, .constant(.null)))
        filled = RowPart("filled", Filter(value, .notEqual, .constant(.null)))
        guard let profile, kind != .none else { return }
        addValues(value, profile)
        addRanges(value, profile)
    }

    // MARK: Parts

    private mutating func addValues(_ path: FilterExpression, _ profile: PathProfile) {
        func add(_ label: String, _ constant: FilterValue) {
            guard !constants.contains(constant) else { return }
            constants.append(constant)
            values.append(RowPart(label, Filter(path, .equal, .constant(constant))))
        }
        if kind == .boolean {
            add("true", .boolean(true))
            add("false", .boolean(false))
            return
        }
        guard let found = profile.values, found.different.hasRepeats || found.different.estimate == 1 else { return }
        for common in found.common(10) where !common.value.isCut {
            let text = common.value.text
            if let constant = constant(text, isText: common.value.isText) { add(text, constant) }
        }
    }

    /// A value of the profile as a constant that a filter compares with the column.
    private func constant(_ text: String, isText: Bool) -> FilterValue? {
        switch kind {
        case .number where !isText:
            // -0 and 0 are equal.
            if let whole = Int64(text) { return .integer(whole) }
            return Double(text).map { $0 == 0 ? .integer(0) : .double($0) }
        case .decimal where !isText: return Decimal(string: text).map(FilterValue.decimal)
        case .text where isText: return .string(text)
        case .uuid where isText: return UUID(uuidString: text).map(FilterValue.uuid)
        case .url where isText: return URL(string: text).map(FilterValue.url)
        default: return nil
        }
    }

    private mutating func addRanges(_ path: FilterExpression, _ profile: PathProfile) {
        let found = profile.values
        let scale: ValueScale?
        switch kind {
        case .number, .decimal:
            scale = found?.numbers.flatMap { numbers in
                guard let low = Double(numbers.minimum), let high = Double(numbers.maximum) else { return nil }
                return .numbers(from: low, to: high, areWhole: profile[.real].count == 0)
            }
        case .date: scale = found?.texts.flatMap { PartCounter.span($0, areDays: false) }
        case .text:
            guard [.date, .dateTime].contains(profile.type) else { return }
            scale = found?.texts.flatMap { PartCounter.span($0, areDays: true) }
        default: return
        }
        guard let scale else { return }
        let constants: [FilterValue] = scale.bounds.enumerated().map { index, bound in
            switch kind {
            case .date: .date(Date(timeIntervalSince1970: bound))
            // A year alone would be a number in columns of numbers.
            case .text: .string(scale.days[index])
            default: constant(of: bound)
            }
        }
        bounds =
            switch kind {
            case .text: .texts(scale.days.map { Array($0.utf8) })
            case .decimal: .values(constants)
            // A filter takes the seconds before 2001 from those of a column.
            case .date: .numbers(scale.bounds.map { Date(timeIntervalSince1970: $0).timeIntervalSinceReferenceDate })
            default: .numbers(scale.bounds)
            }
        ranges = constants.indices.dropLast().map { index in
            let (low, high) = (scale.names[index], scale.names[index + 1])
            return RowPart(
                scale.isOfWholeNumbers ? low : "\(low) to \(high)",
                .and([
                    Filter(path, .greaterOrEqual, .constant(constants[index])),
                    Filter(path, .less, .constant(constants[index + 1])),
                ]))
        }
    }

    /// A bound of numbers as a constant.
    private func constant(of bound: Double) -> FilterValue {
        if bound.magnitude < 0x1p53, let whole = Int64(exactly: bound) { return .integer(whole) }
        if kind == .decimal, let decimal = Decimal(string: "\(bound)") { return .decimal(decimal) }
        return .double(bound)
    }

    private static func span(_ texts: TextProfile, areDays: Bool) -> ValueScale? {
        let dates = texts.dates
        guard let low = dates.range(at: 0)?.lowerBound, let high = dates.range(at: dates.total - 1)?.upperBound else {
            return nil
        }
        return .dates(from: low, to: high, areDays: areDays)
    }

    // MARK: Counting

    /// Counts the value in the current row.
    mutating func count(_ cursor: ValueCursor) {
        let cell = cursor.cell(at: column)
        if cell.kind == .null || cell.kind == .absent {
            empty.count += 1
            return
        }
        filled.count += 1
        guard !ranges.isEmpty || !values.isEmpty else { return }
        if let index = range(of: cell, cursor), ranges.indices.contains(index) { ranges[index].count += 1 }
        if let index = constants.firstIndex(where: { isEqual(cell, $0, cursor) }) { values[index].count += 1 }
    }

    /// The number of the range of a value: that of the bounds that are not above it, less one.
    private func range(of cell: SQLCell, _ cursor: ValueCursor) -> Int? {
        switch bounds {
        case .numbers(let bounds):
            let shift = kind == .date ? Date.timeIntervalBetween1970AndReferenceDate : 0
            switch cell.kind {
            case .integer where kind != .date:
                return index(bounds) { !PartCounter.isLess(cell.integer, $0) }
            case .integer: return index(bounds) { Double(cell.integer) - shift >= $0 }
            case .real: return index(bounds) { cell.real - shift >= $0 }
            default: return nil
            }
        case .values(let bounds):
            let value = cursor.value(at: column)
            guard value.order(to: .integer(0)) != nil else { return nil }
            return index(bounds) { value.order(to: $0) != .orderedAscending }
        case .texts(let bounds):
            guard cell.kind == .text else { return nil }
            return index(bounds) { !cell.bytes.lexicographicallyPrecedes($0) }
        }
    }

    /// The number of the last bound for which `isReached` is true, which it is up to one.
    private func index<Bound>(_ bounds: [Bound], _ isReached: (Bound) -> Bool) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(bounds[middle]) { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    /// Whether a whole number is less than a bound, without rounding it.
    private static func isLess(_ number: Int64, _ bound: Double) -> Bool {
        if bound >= 0x1p63 { return true }
        if bound < -0x1p63 { return false }
        return number < Int64(bound.rounded(.up))
    }

    private func isEqual(_ cell: SQLCell, _ constant: FilterValue, _ cursor: ValueCursor) -> Bool {
        switch constant {
        case .integer(let number): cell.isSame(as: SQLCell(number))
        case .double(let number): cell.isSame(as: SQLCell(number))
        case .boolean(let flag): cell.isSame(as: SQLCell(Int64(flag ? 1 : 0)))
        case .string(let text): PartCounter.isText(cell, text)
        case .uuid(let id): PartCounter.isText(cell, id.uuidString)
        case .url(let url): PartCounter.isText(cell, url.absoluteString)
        default: cursor.value(at: column).order(to: constant) == .orderedSame
        }
    }

    private static func isText(_ cell: SQLCell, _ text: String) -> Bool {
        guard cell.kind == .text, cell.bytes.count == text.utf8.count else { return false }
        return cell.bytes.elementsEqual(text.utf8)
    }

    // MARK: Results

    /// Removes parts in which nothing is, as ranges at both ends.
    mutating func finish() {
        values = values.filter { $0.count > 0 }.sorted { $0.count > $1.count }
        while ranges.last?.count == 0 { ranges.removeLast() }
        while ranges.first?.count == 0 { ranges.removeFirst() }
        if ranges.count < 2 { ranges = [] }
    }
}
