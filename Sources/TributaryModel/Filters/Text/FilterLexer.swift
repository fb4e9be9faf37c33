/// Splits the text of a filter into tokens.
struct FilterLexer {
    let source: FilterSource
    var arguments: ArraySlice<FilterOperand>
    var offset = 0

    private static let symbols = [
        ["**", "==", "=<", "=>", "!=", "<>", "<=", ">=", "<<", ">>", "&&", "||", ":="],
        ["(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", "<", ">", "=", "!", "&", "|", "^", "~"],
    ]

    init(_ source: FilterSource, arguments: [FilterOperand]) {
        self.source = source
        self.arguments = arguments[...]
    }

    /// All tokens; the last one is the end.
    mutating func tokens() throws(FilterError) -> [FilterToken] {
        var tokens: [FilterToken] = []
        repeat {
            while let blank = scalar, blank.properties.isWhitespace { offset += 1 }
            let start = offset
            tokens.append(FilterToken(kind: try token(), start: start, end: offset))
        } while tokens.last?.kind != .end
        return tokens
    }

    var scalar: Unicode.Scalar? { source.scalar(at: offset) }

    func failure(_ code: FilterError.Code = .syntax, at start: Int, expected: String) -> FilterError {
        let end = min(max(start + 1, offset), source.units.count)
        let found = start >= end ? "the end" : source.text(from: start, to: end)
        return FilterError(code, found: found, expected: expected, position: source.position(of: start))
    }

    private mutating func token() throws(FilterError) -> FilterToken.Kind {
        guard offset < source.units.count else { return .end }
        switch source.units[offset] {
        case .operand(let operand):
            offset += 1
            return .operand(operand)
        case .key(let text):
            defer { offset += 1 }
            return try keyPath(text, at: offset)
        case .scalar(let scalar):
            switch scalar {
            case "\"", "'": return .string(try quoted())
            case "0"..."9": return .number(try number())
            case "." where source.scalar(at: offset + 1)?.isDecimalDigit == true: return .number(try number())
            case "%": return try percent()
            case "#", "$", "@": return try marked(by: scalar)
            case _ where scalar.beginsName: return .word(functionName(beginningWith: name()))
            default: return try symbol()
            }
        }
    }

    private mutating func symbol() throws(FilterError) -> FilterToken.Kind {
        let next = String(String.UnicodeScalarView([scalar, source.scalar(at: offset + 1)].compactMap(\.self)))
        for symbols in Self.symbols {
            if let symbol = symbols.first(where: next.hasPrefix) {
                offset += symbol.count
                return .symbol(symbol)
            }
        }
        throw failure(at: offset, expected: "a name, a value or an operator")
    }

    /// Reads the name after `#`, `$` or `@`, which may be in quotes after `#` and `$`.
    private mutating func marked(by mark: Unicode.Scalar) throws(FilterError) -> FilterToken.Kind {
        let start = offset
        offset += 1
        let text: String
        if mark != "@", scalar == "\"" || scalar == "'" {
            text = try quoted()
        } else {
            guard scalar?.beginsName == true else { throw failure(at: start, expected: "a name after \(mark)") }
            text = name()
        }
        switch mark {
        case "#": return .name(text)
        case "$": return .variable(text)
        default: return .collectionOperator("@" + text)
        }
    }

    mutating func name() -> String { run(of: \.continuesName) }

    /// Reads the scalars that match, up to the first one that does not.
    mutating func run(of matches: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar, matches(scalar) {
            text.append(scalar)
            offset += 1
        }
        return String(text)
    }

    /// Reads the rest of a function name such as `add:to:`; other names have no colon.
    private mutating func functionName(beginningWith first: String) -> String {
        var text = first
        while scalar == ":", source.scalar(at: offset + 1) != "=" {
            offset += 1
            text += ":" + name()
        }
        return text
    }
}

extension Unicode.Scalar {
    var isDecimalDigit: Bool { ("0"..."9").contains(self) }
    var beginsName: Bool { self == "_" || properties.isXIDStart }
    var continuesName: Bool { self == "_" || properties.isXIDContinue }
}
