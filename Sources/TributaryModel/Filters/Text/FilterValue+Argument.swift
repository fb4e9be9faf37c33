extension FilterValue {
    /// The value of an argument, null for nil; traps for a filter or an expression.
    package init(_ argument: (any FilterArgument)?) {
        switch argument?.filterOperand {
        case nil: self = .null
        case .value(let value): self = value
        default: fatalError("found an expression instead of a value")
        }
    }
}
