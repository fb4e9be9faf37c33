extension FilterLexer {
    private static let integers: Set<String> = ["d", "D", "i", "u", "U", "x", "X", "o", "O", "c", "C"]
    private static let fractions: Set<String> = ["f", "F", "g", "G", "e", "E", "a", "A"]

    /// Reads a percent sign: a placeholder for an argument, or the remainder operator.
    mutating func percent() throws(FilterError) -> FilterToken.Kind {
        let start = offset
        offset += 1
        guard source.isFormat else { return .symbol("%") }
        if scalar == "%" {
            offset += 1
            return .symbol("%")
        }
        // The length modifiers of C are accepted and ignored.
        while let modifier = scalar, "hlqzt".unicodeScalars.contains(modifier) { offset += 1 }
        let letter = scalar.map(String.init) ?? ""
        offset += 1
        switch letter {
        case "@": return .operand(try argument(at: start))
        case "K":
            guard case .value(.string(let text)) = try argument(at: start) else {
                throw mismatch(at: start, expected: "a text as the argument of %K")
            }
            return try keyPath(text, at: start)
        case "s", "S":
            let operand = try argument(at: start)
            guard case .value(.string) = operand else { throw mismatch(at: start, expected: "a text for %s") }
            return .operand(operand)
        case _ where Self.integers.contains(letter):
            guard let number = number(try argument(at: start)), let whole = number.truncated else {
                throw mismatch(at: start, expected: "a whole number for %\(letter)")
            }
            return .operand(.value(.integer(whole)))
        case _ where Self.fractions.contains(letter):
            guard let number = number(try argument(at: start)) else {
                throw mismatch(at: start, expected: "a number for %\(letter)")
            }
            return .operand(.value(.double(number.double)))
        default:
            offset = min(offset, source.units.count)
            throw failure(at: start, expected: "%@, %K, %d, %f, %s or another placeholder")
        }
    }

    /// The keys of a key path in an argument.
    func keyPath(_ text: String, at start: Int) throws(FilterError) -> FilterToken.Kind {
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !keys.contains("") else { throw mismatch(at: start, expected: "a key path without empty keys") }
        return .keyPath(keys)
    }

    private mutating func argument(at start: Int) throws(FilterError) -> FilterOperand {
        guard let argument = arguments.popFirst() else {
            throw FilterError(.argument, "an argument is missing", position: source.position(of: start))
        }
        return argument
    }

    private func number(_ operand: FilterOperand) -> FilterNumber? {
        guard case .value(let value) = operand else { return nil }
        return FilterNumber(value)
    }

    private func mismatch(at start: Int, expected: String) -> FilterError {
        FilterError(.argument, "expected \(expected)", position: source.position(of: start))
    }
}
