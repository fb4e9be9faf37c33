package import Foundation

extension FilterResult {
    /// Whether both are equal by value; null equals null.
    func equals(_ other: FilterResult, folding: FilterOptions = []) -> Bool {
        switch (self, other) {
        case (.value(.null), .value(.null)): return true
        case (.value(let left), .value(let right)):
            if let result = left.order(to: right, folding: folding) { return result == .orderedSame }
            return reference != nil && reference == other.reference
        case (.collection(let left, let isLeftToMany), .collection(let right, let isRightToMany)):
            guard left.count == right.count else { return false }
            if isLeftToMany || isRightToMany {
                let (leftSet, rightSet) = (FilterSet(left, folding: folding), FilterSet(right, folding: folding))
                return left.allSatisfy { rightSet.index(of: $0) != nil }
                    && right.allSatisfy { leftSet.index(of: $0) != nil }
            }
            return zip(left, right).allSatisfy { $0.equals($1, folding: folding) }
        case (.collection, _), (_, .collection): return false
        default: return reference != nil && reference == other.reference
        }
    }

    /// The order of two results; nil if they cannot be compared.
    package func order(to other: FilterResult, folding: FilterOptions = []) -> ComparisonResult? {
        guard case .value(let left) = self, case .value(let right) = other else { return nil }
        return left.order(to: right, folding: folding)
    }
}

extension [FilterResult] {
    /// The elements without duplicates, in the order of their first occurrence.
    var distinct: [FilterResult] { FilterSet(self).elements }
}

extension FilterValue {
    /// The order of two values; nil if they cannot be compared.
    ///
    /// Text is ordered by code points, bytes and UUIDs by their bytes.
    package func order(to other: FilterValue, folding: FilterOptions = []) -> ComparisonResult? {
        if let left = FilterNumber(self), let right = FilterNumber(other) { return left.order(to: right) }
        switch (self, other) {
        case (.string(let left), .string(let right)):
            return Self.order(
                TextFold.fold(left, options: folding).utf8, TextFold.fold(right, options: folding).utf8)
        case (.date(let left), .date(let right)):
            return left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
        case (.data(let left), .data(let right)): return Self.order(left, right)
        case (.uuid(let left), .uuid(let right)): return Self.order(left.uuidString.utf8, right.uuidString.utf8)
        case (.url(let left), .url(let right)):
            return Self.order(left.absoluteString.utf8, right.absoluteString.utf8)
        default: return nil
        }
    }

    private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> ComparisonResult {
        var rest = right.makeIterator()
        for byte in left {
            guard let other = rest.next() else { return .orderedDescending }
            if byte != other { return byte < other ? .orderedAscending : .orderedDescending }
        }
        return rest.next() == nil ? .orderedSame : .orderedAscending
    }
}
