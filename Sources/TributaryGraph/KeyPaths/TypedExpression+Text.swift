extension TypedExpression where Value.Unwrapped == String {
    /// Whether the text equals `text`.
    public func equals(_ text: String, options: FilterOptions = []) -> Filter { compare(.equal, text, options) }

    /// Whether the text contains `part`.
    public func contains(_ part: String, options: FilterOptions = []) -> Filter { compare(.contains, part, options) }

    /// Whether the text begins with `start`.
    public func hasPrefix(_ start: String, options: FilterOptions = []) -> Filter {
        compare(.beginsWith, start, options)
    }

    /// Whether the text ends with `end`.
    public func hasSuffix(_ end: String, options: FilterOptions = []) -> Filter { compare(.endsWith, end, options) }

    /// Whether the whole text matches a pattern, in which `*` is any text and `?` any character.
    public func like(_ pattern: String, options: FilterOptions = []) -> Filter { compare(.like, pattern, options) }

    /// Whether the whole text matches a regular expression.
    public func matches(regularExpression: String, options: FilterOptions = []) -> Filter {
        compare(.matches, regularExpression, options)
    }

    private func compare(_ operator: FilterOperator, _ text: String, _ options: FilterOptions) -> Filter {
        Filter(filterExpression, `operator`, .constant(.string(text)), options: options)
    }
}
