#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Sequence where Element == SortKey {
    /// How two subjects stand to each other, by the first key that tells them apart.
    ///
    /// Nothing comes before everything if the key ascends, and behind if it descends. Numbers are ordered by value, text
    /// by code points. Values of different kinds stand in the order of their kinds: numbers, moments, text, bytes.
    ///
    /// - Throws: a key that a subject does not know, or that leads to several values.
    public func compare(_ left: any FilterSubject, _ right: any FilterSubject) throws(FilterError) -> ComparisonResult {
        for key in self {
            let result = key.order(try key.value(of: left), try key.value(of: right))
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }

    /// The subjects in the order of the keys; equal ones keep theirs.
    ///
    /// - Throws: a key that a subject does not know, or that leads to several values.
    public func sorted<Subject: FilterSubject>(_ subjects: some Sequence<Subject>) throws(FilterError) -> [Subject] {
        let keys = Array(self)
        var rows: [(place: Int, subject: Subject, values: [FilterValue])] = []
        for (place, subject) in subjects.enumerated() {
            rows.append((place, subject, try keys.map { key throws(FilterError) in try key.value(of: subject) }))
        }
        rows.sort { left, right in
            for (index, key) in keys.enumerated() {
                let result = key.order(left.values[index], right.values[index])
                if result != .orderedSame { return result == .orderedAscending }
            }
            return left.place < right.place
        }
        return rows.map(\.subject)
    }
}

extension SortKey {
    /// What the key gives, folded already.
    fileprivate func value(of subject: any FilterSubject) throws(FilterError) -> FilterValue {
        let evaluator = FilterEvaluator(subject)
        guard case .value(let value) = try evaluator.follow(keyPath[...], from: .subject(subject)) else {
            throw FilterError(.toMany, "\(keyPath.joined(separator: ".")) has no single value to sort by")
        }
        guard case .string(let text) = value else { return value }
        return .string(TextFold.fold(text, options: options))
    }

    fileprivate func order(_ left: FilterValue, _ right: FilterValue) -> ComparisonResult {
        let ranks = (left.rank, right.rank)
        let result: ComparisonResult =
            ranks.0 == ranks.1
            ? left.order(to: right) ?? .orderedSame : ranks.0 < ranks.1 ? .orderedAscending : .orderedDescending
        switch result {
        case .orderedSame: return .orderedSame
        case .orderedAscending: return ascending ? .orderedAscending : .orderedDescending
        case .orderedDescending: return ascending ? .orderedDescending : .orderedAscending
        }
    }
}

extension FilterValue {
    /// The place of its kind among the kinds; what is not a number is as nothing.
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
