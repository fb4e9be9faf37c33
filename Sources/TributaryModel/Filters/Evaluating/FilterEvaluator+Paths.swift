extension FilterEvaluator {
    /// The value at the end of a path.
    ///
    /// A path through several to-many relationships has all elements in one collection.
    func follow(_ keys: ArraySlice<String>, from base: FilterResult) throws(FilterError) -> FilterResult {
        var current = base
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@") { return try aggregate(key, of: current, rest) }
            current = try step(key, from: current)
        }
        return current
    }

    private func step(_ key: String, from base: FilterResult) throws(FilterError) -> FilterResult {
        switch base {
        case .value(.null): return .null
        case .subject(let subject): return FilterResult(try subject.filterValue(forKey: key))
        case .value(.object(let reference)):
            guard let subject = reference.base as? any FilterSubject else {
                throw FilterError(.key, "the key \(key) cannot be read from an object ID")
            }
            return FilterResult(try subject.filterValue(forKey: key))
        case .value(let value): throw FilterError(.key, "the value \(value) has no key \(key)")
        case .collection(let elements, let isToMany):
            return .collection(
                try flattened(elements) { element throws(FilterError) in try step(key, from: element) },
                isToMany: isToMany)
        }
    }

    private func flattened(
        _ elements: [FilterResult], _ transform: (FilterResult) throws(FilterError) -> FilterResult
    ) throws(FilterError) -> [FilterResult] {
        var all: [FilterResult] = []
        for element in elements {
            switch try transform(element) {
            case .collection(let inner, _): all += inner
            case let single: all.append(single)
            }
        }
        return all
    }

    /// The value of a collection operator with the path after it: `items.@sum.price`, `items.price.@sum`,
    /// `@sum.items.price`.
    private func aggregate(
        _ name: String, of base: FilterResult, _ rest: ArraySlice<String>
    ) throws(FilterError) -> FilterResult {
        let isSelection = name.hasPrefix("@distinctUnion") || name.hasPrefix("@union")
        // A union may be followed by another operator.
        let path = isSelection ? rest.prefix { !$0.hasPrefix("@") } : rest
        var elements: [FilterResult]
        if case .collection(let all, _) = base {
            elements = try flattened(all) { element throws(FilterError) in try follow(path, from: element) }
        } else {
            elements = try follow(path, from: base).elements
        }
        if isSelection {
            elements.removeAll(where: \.isNull)
            if name.hasPrefix("@distinct") { elements = elements.distinct }
            return try follow(rest.dropFirst(path.count), from: .collection(elements, isToMany: true))
        }
        guard let function = collectionOperators[name] else {
            throw FilterError(.key, "there is no collection operator \(name)")
        }
        return try FilterStatistics(elements).result(of: function)
    }
}

/// The collection operators that compute one value.
private let collectionOperators: [String: FilterFunction] = [
    "@count": .count, "@sum": .sum, "@avg": .average, "@min": .min, "@max": .max,
]
