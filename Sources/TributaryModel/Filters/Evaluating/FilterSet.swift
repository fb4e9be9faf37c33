import Foundation

/// Results that are looked up by value, as filters compare values: `1` is `1.0`, and text is folded.
///
/// Equal results have equal hashes, so each result is compared only with those of its hash.
struct FilterSet {
    private let folding: FilterOptions
    /// The indexes of the elements by their hashes.
    private var places: [Int: [Int]] = [:]
    /// The elements without duplicates, in the order of their first occurrence.
    private(set) var elements: [FilterResult] = []

    init(_ elements: [FilterResult], folding: FilterOptions = []) {
        self.folding = folding
        for element in elements { insert(element) }
    }

    /// The index of an element; nil if there is none that is equal.
    func index(of element: FilterResult) -> Int? {
        places[element.hash(folding: folding)]?.first { elements[$0].equals(element, folding: folding) }
    }

    /// Adds an element unless one is equal; returns the index of that one or of the new one.
    @discardableResult
    mutating func insert(_ element: FilterResult) -> Int {
        let hash = element.hash(folding: folding)
        if let known = places[hash]?.first(where: { elements[$0].equals(element, folding: folding) }) { return known }
        places[hash, default: []].append(elements.count)
        elements.append(element)
        return elements.count - 1
    }
}

extension FilterResult {
    /// A number that all equal results have in common.
    fileprivate func hash(folding: FilterOptions) -> Int {
        var hasher = Hasher()
        switch self {
        case .value(.string(let text)): hasher.combine(TextFold.fold(text, options: folding))
        // Objects and lists are compared by their references and elements.
        case .value(.object), .subject: hasher.combine(reference)
        case .collection(let elements, _): hasher.combine(elements.count)
        case .value(.list(let values)): hasher.combine(values.count)
        case .value(.url(let url)): hasher.combine(url.absoluteString)
        case .value(let value):
            // Equal numbers of different types are the same double.
            if let number = FilterNumber(value) { hasher.combine(number.double) } else { hasher.combine(value) }
        }
        return hasher.finalize()
    }
}
