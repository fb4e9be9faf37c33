/// The SQL of one side of a comparison.
enum FilterSide {
    case term(FilterTerm)
    /// Several terms, from a relationship that was read already or from a list.
    case list([FilterTerm], isToMany: Bool)
    /// The elements of a relationship.
    case rows(FilterRows)

    var isToMany: Bool {
        switch self {
        case .rows: true
        case .list(_, let isToMany): isToMany
        case .term: false
        }
    }
}
