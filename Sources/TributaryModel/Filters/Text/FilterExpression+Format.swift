extension FilterExpression {
    /// Reads an expression whose `%@`, `%K`, `%d` … stand for `arguments`, in their order.
    ///
    ///     try FilterExpression(format: "SUBQUERY(books, $x, $x.price > %d).@count", 3)
    ///
    /// - Throws: what does not fit, and where.
    public init(format: String, _ arguments: any FilterArgument...) throws(FilterError) {
        var source = FilterSource()
        source.units = format.unicodeScalars.map(FilterSource.Unit.scalar)
        source.isFormat = true
        var parser = try FilterParser(source, arguments: arguments.map(\.filterOperand))
        self = try parser.wholeExpression()
    }
}
