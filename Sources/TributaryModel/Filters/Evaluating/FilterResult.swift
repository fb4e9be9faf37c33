/// The value of an expression for a subject.
package indirect enum FilterResult {
    case value(FilterValue)
    case subject(any FilterSubject)
    /// Several values, from a relationship or from a list.
    case collection([FilterResult], isToMany: Bool)

    package static var null: FilterResult { .value(.null) }

    package init(_ property: FilterProperty) {
        switch property {
        case .value(let value): self.init(value)
        case .one(let subject): self = subject.map(FilterResult.subject) ?? .null
        case .many(let subjects): self = .collection(subjects.map(FilterResult.subject), isToMany: true)
        }
    }

    package init(_ value: FilterValue) {
        guard case .list(let values) = value else {
            self = .value(value)
            return
        }
        self = .collection(values.map { FilterResult($0) }, isToMany: false)
    }

    var isNull: Bool {
        if case .value(.null) = self { return true }
        return false
    }

    /// The elements of a collection; none for null, and the value itself for any other value.
    var elements: [FilterResult] {
        switch self {
        case .value(.null): []
        case .value, .subject: [self]
        case .collection(let elements, _): elements
        }
    }

    var number: FilterNumber? {
        guard case .value(let value) = self else { return nil }
        return FilterNumber(value)
    }

    var string: String? {
        guard case .value(.string(let text)) = self else { return nil }
        return text
    }

    /// The reference to the object, if the result is one.
    package var reference: FilterReference? {
        switch self {
        case .value(.object(let reference)): reference
        case .subject(let subject): subject.filterReference
        default: nil
        }
    }
}
