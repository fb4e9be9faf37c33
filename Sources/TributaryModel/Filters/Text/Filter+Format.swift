extension Filter {
    /// Reads a filter with `%@`, `%K`, `%d` … as placeholders for `arguments`, in order.
    ///
    ///     try Filter(format: "age > %d AND %K BEGINSWITH[c] %@", 17, "name", "ur")
    ///
    /// Inside quotes a percent sign is an ordinary character. Surplus arguments are ignored.
    ///
    /// - Throws: `FilterError` with the position of an error.
    public init(format: String, _ arguments: any FilterArgument...) throws(FilterError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Reads a filter with `%@`, `%K`, `%d` … as placeholders for `arguments`, in order.
    ///
    /// - Throws: `FilterError` with the position of an error.
    public init(format: String, arguments: [any FilterArgument]) throws(FilterError) {
        let source = FilterSource(format, isFormat: true)
        var parser = try FilterParser(source, arguments: arguments.map(\.filterOperand))
        self = try parser.wholeFilter()
    }
}
