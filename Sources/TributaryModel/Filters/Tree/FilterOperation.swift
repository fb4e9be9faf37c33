/// What joins two expressions.
public enum FilterOperation: String, Sendable, Hashable, CaseIterable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient; of whole numbers a whole number.
    case divide = "/"
    /// The rest of the division; `%` in a literal, `%%` in a format.
    case modulus = "%"
    /// The power.
    case power = "**"
    /// The bits in both.
    case bitAnd = "&"
    /// The bits in one or both.
    case bitOr = "|"
    /// The bits in just one.
    case bitXor = "^"
    /// The bits moved up.
    case shiftLeft = "<<"
    /// The bits moved down.
    case shiftRight = ">>"
    /// The elements of both collections.
    case union = "UNION"
    /// The elements in both collections.
    case intersect = "INTERSECT"
    /// The elements of the first that are not in the second.
    case minus = "MINUS"

    /// How tightly it binds; the higher, the tighter.
    ///
    /// Equal ones group from the left.
    var level: Int {
        switch self {
        case .union, .intersect, .minus: 1
        case .bitOr: 2
        case .bitXor: 3
        case .bitAnd: 4
        case .shiftLeft, .shiftRight: 5
        case .add, .subtract: 6
        case .multiply, .divide, .modulus: 7
        case .power: 8
        }
    }

    /// The names of the same as functions.
    static let functions: [String: FilterOperation] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus, "raise:topower:": .power, "bitwiseand:with:": .bitAnd, "bitwiseor:with:": .bitOr,
        "bitwisexor:with:": .bitXor, "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
    ]
}
