/// Reads filters by recursive descent.
///
/// `(` may begin a filter or an expression. The contents of the parentheses decide which, so no text is read twice.
struct FilterParser {
    static let depthLimit = 32

    let source: FilterSource
    private let tokens: [FilterToken]
    private var index = 0
    /// The depth of the tree at the current token.
    var depth = 0

    init(_ source: FilterSource, arguments: [FilterOperand]) throws(FilterError) {
        var lexer = FilterLexer(source, arguments: arguments)
        self.source = source
        tokens = try lexer.tokens()
    }

    var token: FilterToken { tokens[index] }
    var following: FilterToken { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() { index = min(index + 1, tokens.count - 1) }

    func failure(expected: String) -> FilterError {
        let found = token.kind == .end ? "the end" : source.text(from: token.start, to: token.end)
        return FilterError(found: found, expected: expected, position: source.position(of: token.start))
    }

    mutating func deepen() throws(FilterError) {
        depth += 1
        guard depth <= Self.depthLimit else {
            throw FilterError(
                .depth, "nested deeper than \(Self.depthLimit) levels", position: source.position(of: token.start))
        }
    }

    func isAt(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    /// The current word in upper case, if it is a word.
    var keyword: String? {
        guard case .word(let word) = token.kind else { return nil }
        return word.inKeywordCase
    }

    /// Skips `symbol` and returns true, if it is the current token.
    mutating func accept(_ symbol: String) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    /// Skips `symbol`, which must be the current token.
    mutating func expect(_ symbol: String) throws(FilterError) {
        guard accept(symbol) else { throw failure(expected: symbol) }
    }

    mutating func wholeFilter() throws(FilterError) -> Filter {
        let filter = try filter()
        guard token.kind == .end else { throw failure(expected: "AND, OR or the end") }
        return filter
    }

    mutating func wholeExpression() throws(FilterError) -> FilterExpression {
        let expression = try expression()
        guard token.kind == .end else { throw failure(expected: "the end") }
        return expression
    }

    mutating func filter() throws(FilterError) -> Filter {
        // Read first: an argument is read after the parser that reports where it stands.
        let term = try disjunction()
        return try requireFilter(term)
    }
}
