/// A binary operation of two expressions.
public enum FilterOperation: String, Sendable, Hashable, CaseIterable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient; a whole number for two whole numbers.
    case divide = "/"
    /// The remainder; `%` in a literal, `%%` in a format.
    case modulus = "%"
    /// The power.
    case power = "**"
    /// The bitwise AND.
    case bitAnd = "&"
    /// The bitwise OR.
    case bitOr = "|"
    /// The bitwise XOR.
    case bitXor = "^"
    /// The bits shifted left.
    case shiftLeft = "<<"
    /// The bits shifted right.
    case shiftRight = ">>"
    /// The elements of both collections.
    case union = "UNION"
    /// The elements in both collections.
    case intersect = "INTERSECT"
    /// The elements of the first collection that are not in the second.
    case minus = "MINUS"

    /// The precedence; operations of the same level group from the left.
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

    /// The operations by their names as functions.
    static let functions: [String: FilterOperation] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus, "raise:topower:": .power, "bitwiseand:with:": .bitAnd, "bitwiseor:with:": .bitOr,
        "bitwisexor:with:": .bitXor, "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
    ]
}
