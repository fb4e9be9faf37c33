extension Filter {
    /// Reads a filter whose `%@`, `%K`, `%d` … stand for `arguments`, in their order.
    ///
    ///     try Filter(format: "age > %d AND %K BEGINSWITH[c] %@", 17, "name", "ur")
    ///
    /// Inside quotes a percent sign is an ordinary character. Arguments beyond the last are ignored.
    ///
    /// - Throws: what does not fit, and where.
    public init(format: String, _ arguments: any FilterArgument...) throws(FilterError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Reads a filter whose `%@`, `%K`, `%d` … stand for `arguments`, in their order.
    ///
    /// - Throws: what does not fit, and where.
    public init(format: String, arguments: [any FilterArgument]) throws(FilterError) {
        var source = FilterSource()
        source.units = format.unicodeScalars.map(FilterSource.Unit.scalar)
        source.isFormat = true
        var parser = try FilterParser(source, arguments: arguments.map(\.filterOperand))
        self = try parser.wholeFilter()
    }
}
