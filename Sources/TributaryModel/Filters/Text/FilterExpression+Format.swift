extension FilterExpression {
    /// Reads an expression with `%@`, `%K`, `%d` … as placeholders for `arguments`, in order.
    ///
    ///     try FilterExpression(format: "SUBQUERY(books, $x, $x.price > %d).@count", 3)
    ///
    /// - Throws: `FilterError` with the position of an error.
    public init(format: String, _ arguments: any FilterArgument...) throws(FilterError) {
        let source = FilterSource(format, isFormat: true)
        var parser = try FilterParser(source, arguments: arguments.map(\.filterOperand))
        self = try parser.wholeExpression()
    }
}
