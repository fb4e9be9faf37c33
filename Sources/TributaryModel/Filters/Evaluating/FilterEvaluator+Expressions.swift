import Foundation

extension FilterEvaluator {
    /// The value of an expression.
    package func value(of expression: FilterExpression) throws(FilterError) -> FilterResult {
        switch expression {
        case .constant(let value): return FilterResult(value)
        case .subject: return .subject(subject)
        case .keyPath(let keys): return try follow(keys[...], from: .subject(subject))
        case .path(let base, let keys): return try follow(keys[...], from: value(of: base))
        case .variable(let name):
            guard let value = variables[name] else {
                throw FilterError(.variable, "the variable $\(name) has no value")
            }
            return value
        case .aggregate(let elements): return .collection(try values(of: elements), isToMany: false)
        case .negation(let inner):
            let value = try value(of: inner)
            if value.isNull { return .null }
            guard let number = value.number else { throw FilterError(.operand, "\(inner) is not a number") }
            return number.negated.map { .value($0.value) } ?? .null
        case .operation(let operation, let left, let right):
            return try apply(operation, value(of: left), value(of: right))
        case .function(let function, let arguments): return try call(function, values(of: arguments))
        case .subquery(let collection, let variable, let filter):
            return try select(filter, variable, from: value(of: collection))
        case .ternary(let filter, let yes, let no): return try value(of: isTrue(filter) ? yes : no)
        case .cast(let inner, let type):
            guard case .value(let value) = try value(of: inner) else { return .null }
            return .value(type.cast(value))
        case .element(let base, let index): return try element(of: value(of: base), at: index)
        }
    }

    private func values(of expressions: [FilterExpression]) throws(FilterError) -> [FilterResult] {
        try expressions.map { expression throws(FilterError) in try value(of: expression) }
    }

    private func select(
        _ filter: Filter, _ variable: String, from collection: FilterResult
    ) throws(FilterError) -> FilterResult {
        var selected: [FilterResult] = []
        var inner = self
        for element in collection.elements {
            inner.variables[variable] = element
            if try inner.isTrue(filter) { selected.append(element) }
        }
        return .collection(selected, isToMany: true)
    }

    private func element(of base: FilterResult, at index: FilterIndex) throws(FilterError) -> FilterResult {
        let elements = base.elements
        switch index {
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        case .size: return .value(.integer(Int64(elements.count)))
        case .at(let expression):
            let position = try value(of: expression)
            if position.isNull { return .null }
            guard let number = position.number?.whole else {
                throw FilterError(.operand, "\(expression) is not an index")
            }
            return Int(exactly: number).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
        }
    }

    private func apply(
        _ operation: FilterOperation, _ left: FilterResult, _ right: FilterResult
    ) throws(FilterError) -> FilterResult {
        let isToMany = left.isToMany || right.isToMany
        switch operation {
        case .union: return .collection((left.elements + right.elements).distinct, isToMany: isToMany)
        case .intersect, .minus:
            let others = FilterSet(right.elements)
            let kept = left.elements.distinct.filter { (others.index(of: $0) != nil) == (operation == .intersect) }
            return .collection(kept, isToMany: isToMany)
        default: break
        }
        if left.isNull || right.isNull { return .null }
        if let left = left.number, let right = right.number {
            return left.applying(operation, right).map { .value($0.value) } ?? .null
        }
        // A date and seconds make a date, two dates make seconds.
        switch (operation, left, right) {
        case (.add, .value(.date(let date)), .value(let seconds)):
            if let seconds = FilterNumber(seconds) { return .value(.date(date.addingTimeInterval(seconds.double))) }
        case (.subtract, .value(.date(let date)), .value(.date(let other))):
            return .value(.double(date.timeIntervalSince(other)))
        case (.subtract, .value(.date(let date)), .value(let seconds)):
            if let seconds = FilterNumber(seconds) { return .value(.date(date.addingTimeInterval(-seconds.double))) }
        default: break
        }
        throw FilterError(.operand, "\(operation.rawValue) needs numbers on both sides")
    }
}
