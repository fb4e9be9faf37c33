extension Filter: ExpressibleByStringInterpolation {
    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var source = FilterSource()

        /// Makes room for the pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            source.units.reserveCapacity(literalCapacity + interpolationCount)
        }

        /// Appends a piece of text.
        public mutating func appendLiteral(_ literal: String) {
            source.units += literal.unicodeScalars.map(FilterSource.Unit.scalar)
        }

        /// Appends a value, an expression or a filter.
        public mutating func appendInterpolation(_ argument: some FilterArgument) {
            source.units.append(.operand(argument.filterOperand))
        }

        /// Appends a key path; its keys may have any characters except the dot, which separates them.
        public mutating func appendInterpolation(key: String) {
            source.units.append(.key(key))
        }
    }

    /// A filter from a literal; if the literal is malformed, the filter has an ``error``.
    public init(stringLiteral value: String) {
        self.init(reading: FilterSource(value))
    }

    /// A filter from a literal; if the literal is malformed, the filter has an ``error``.
    public init(stringInterpolation: StringInterpolation) {
        self.init(reading: stringInterpolation.source)
    }

    private init(reading source: FilterSource) {
        do throws(FilterError) {
            var parser = try FilterParser(source, arguments: [])
            self = try parser.wholeFilter()
        } catch {
            self.init(form: .malformed(error))
        }
    }
}
