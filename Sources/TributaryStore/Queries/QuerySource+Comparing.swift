/// How filters compare the values of a path.
package enum ComparedKind: Sendable {
    /// Whole and floating point numbers.
    case number
    /// Numbers with exact decimals.
    case decimal
    /// Text.
    case text
    /// True and false.
    case boolean
    /// Dates.
    case date
    /// UUIDs.
    case uuid
    /// URLs.
    case url
    /// Not at all, but for null.
    case none
}

extension QuerySource {
    /// How filters compare the values at a path.
    package func comparedKind(of path: [String]) -> ComparedKind {
        guard case .attribute(let attribute)? = property(at: path) else { return .none }
        return switch attribute.declaration.filterKind {
        case .integer, .real: .number
        case .number: .decimal
        case .string: .text
        case .boolean: .boolean
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        default: .none
        }
    }
}
