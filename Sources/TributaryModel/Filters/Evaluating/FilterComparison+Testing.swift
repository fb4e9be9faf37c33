import Foundation

extension FilterComparison {
    private var folding: FilterOptions { options.folding }

    /// Whether the comparison is true for two results in place of its sides, whatever its modifier.
    package func holds(_ left: FilterResult, _ right: FilterResult) throws(FilterError) -> Bool {
        switch self.operator {
        case .equal: return left.equals(right, folding: folding)
        case .notEqual: return !left.equals(right, folding: folding)
        case .less: return left.order(to: right, folding: folding) == .orderedAscending
        case .greater: return left.order(to: right, folding: folding) == .orderedDescending
        case .lessOrEqual: return isInOrder(left, right)
        case .greaterOrEqual: return isInOrder(right, left)
        case .between: return try isBetween(left, right)
        case .in: return has(right, left)
        case .contains: return has(left, right)
        case .beginsWith, .endsWith, .like, .matches:
            guard let text = left.string, let other = right.string else { return false }
            if self.operator == .matches { return try TextPattern.matches(text, other, folding: folding) }
            return fits(TextFold.fold(text, options: folding), TextFold.fold(other, options: folding))
        }
    }

    /// Whether the left is not greater; null is in order with null.
    private func isInOrder(_ left: FilterResult, _ right: FilterResult) -> Bool {
        if left.isNull && right.isNull { return true }
        return left.order(to: right, folding: folding).map { $0 != .orderedDescending } ?? false
    }

    private func isBetween(_ left: FilterResult, _ bounds: FilterResult) throws(FilterError) -> Bool {
        if bounds.isNull { return false }
        guard case .collection(let bounds, _) = bounds, bounds.count == 2 else {
            throw FilterError(.operand, "BETWEEN needs two bounds, as {1, 10}")
        }
        return !left.isNull && isInOrder(bounds[0], left) && isInOrder(left, bounds[1])
    }

    /// Whether `element` is in a collection, or a part of a text.
    private func has(_ whole: FilterResult, _ element: FilterResult) -> Bool {
        if case .collection(let elements, _) = whole {
            return elements.contains { $0.equals(element, folding: folding) }
        }
        guard let text = whole.string, let part = element.string else { return false }
        return TextFold.fold(text, options: folding).hasBytes(of: TextFold.fold(part, options: folding))
    }

    private func fits(_ text: String, _ other: String) -> Bool {
        switch self.operator {
        case .beginsWith: text.utf8.starts(with: other.utf8)
        case .endsWith: text.utf8.reversed().starts(with: other.utf8.reversed())
        default: TextPattern.isLike(text, other)
        }
    }
}

extension String {
    /// Whether the text contains the bytes of `part`; every text contains the empty text.
    func hasBytes(of part: String) -> Bool {
        let bytes = Array(utf8)
        let wanted = Array(part.utf8)
        guard let first = wanted.first else { return true }
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { start in
            bytes[start] == first && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
