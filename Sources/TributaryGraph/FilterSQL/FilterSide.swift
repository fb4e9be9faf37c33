/// What one side of a comparison becomes.
enum FilterSide {
    case term(FilterTerm)
    /// Several terms; of a relationship that was read already, or of a list.
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
