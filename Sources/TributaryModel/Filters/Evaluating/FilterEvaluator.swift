package import Foundation

/// Evaluates a filter for one subject.
package struct FilterEvaluator {
    let subject: any FilterSubject
    var variables: [String: FilterResult]
    /// The value of `now()`.
    let now: Date

    package init(_ subject: any FilterSubject, variables: [String: FilterValue] = [:], now: Date = Date()) {
        self.subject = subject
        self.variables = variables.mapValues { FilterResult($0) }
        self.now = now
    }

    func isTrue(_ filter: Filter) throws(FilterError) -> Bool {
        switch filter.form {
        case .always: return true
        case .never: return false
        case .malformed(let error): throw error
        case .comparison(let comparison): return try isTrue(comparison)
        case .not(let filter): return try !isTrue(filter)
        case .and(let filters):
            for filter in filters where try !isTrue(filter) { return false }
            return true
        case .or(let filters):
            for filter in filters where try isTrue(filter) { return true }
            return false
        }
    }

    /// Whether a comparison is true.
    package func isTrue(_ comparison: FilterComparison) throws(FilterError) -> Bool {
        let left = try value(of: comparison.left)
        let right = try value(of: comparison.right)
        switch comparison.modifier {
        case .direct:
            if comparison.operator.isAmbiguous(by: left, right) {
                throw FilterError(.toMany, "\(comparison) compares several objects; use ANY or ALL")
            }
            return try comparison.holds(left, right)
        case .any:
            for element in left.elements where try comparison.holds(element, right) { return true }
            return false
        case .all:
            for element in left.elements where try !comparison.holds(element, right) { return false }
            return true
        }
    }
}

extension FilterOperator {
    /// Whether a to-many relationship is compared where a single value is needed.
    fileprivate func isAmbiguous(by left: FilterResult, _ right: FilterResult) -> Bool {
        switch self {
        case .contains: right.isToMany
        case .in, .between: left.isToMany
        default: left.isToMany != right.isToMany && !left.isList && !right.isList
        }
    }
}

extension FilterResult {
    var isToMany: Bool {
        if case .collection(_, isToMany: true) = self { return true }
        return false
    }

    fileprivate var isList: Bool {
        if case .collection(_, isToMany: false) = self { return true }
        return false
    }
}
