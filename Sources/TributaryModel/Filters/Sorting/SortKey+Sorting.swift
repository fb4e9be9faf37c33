public import Foundation

/// Sort keys, the first of which decides first.
extension Sequence where Element == SortKey {
    /// The order of two subjects by the first key with different values.
    ///
    /// Null comes first in ascending order and last in descending order. Numbers are ordered by value, text by code
    /// points. Values of different types are ordered by type: numbers, dates, text, URLs, UUIDs, bytes.
    ///
    /// - Throws: `FilterError` for an unknown key, or a key with several values.
    public func compare(_ left: any FilterSubject, _ right: any FilterSubject) throws(FilterError) -> ComparisonResult {
        for key in self {
            let result = key.order(try key.value(of: left), try key.value(of: right))
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }

    /// The subjects in the order of the keys; the sort is stable.
    ///
    /// - Throws: `FilterError` for an unknown key, or a key with several values.
    public func sorted<Subject: FilterSubject>(_ subjects: some Sequence<Subject>) throws(FilterError) -> [Subject] {
        let keys = Array(self)
        var rows: [(index: Int, subject: Subject, values: [FilterValue])] = []
        for (index, subject) in subjects.enumerated() {
            rows.append((index, subject, try keys.map { key throws(FilterError) in try key.value(of: subject) }))
        }
        rows.sort { left, right in
            for (index, key) in keys.enumerated() {
                let result = key.order(left.values[index], right.values[index])
                if result != .orderedSame { return result == .orderedAscending }
            }
            return left.index < right.index
        }
        return rows.map(\.subject)
    }
}

extension SortKey {
    /// The value of the key, with folded text.
    package func value(of subject: any FilterSubject) throws(FilterError) -> FilterValue {
        let evaluator = FilterEvaluator(subject)
        guard case .value(let value) = try evaluator.follow(keyPath[...], from: .subject(subject)) else {
            throw FilterError(.toMany, "\(keyPath.joined(separator: ".")) has no single value to sort by")
        }
        guard case .string(let text) = value else { return value }
        return .string(TextFold.fold(text, options: options))
    }

    /// The order of two values of the key.
    package func order(_ left: FilterValue, _ right: FilterValue) -> ComparisonResult {
        let ranks = (left.rank, right.rank)
        let result: ComparisonResult =
            ranks.0 == ranks.1
            ? left.order(to: right) ?? .orderedSame : ranks.0 < ranks.1 ? .orderedAscending : .orderedDescending
        return ascending ? result : result.reversed
    }
}

extension FilterValue {
    /// The order of its type among all types; NaN is equal to null.
    fileprivate var rank: Int {
        switch self {
        case .null: 0
        case .double(let number) where number.isNaN: 0
        case .integer, .double, .decimal, .boolean: 1
        case .date: 2
        case .string: 3
        case .url: 4
        case .uuid: 5
        case .data: 6
        case .list: 7
        case .object: 8
        }
    }
}
