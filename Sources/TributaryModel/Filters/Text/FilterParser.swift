/// Reads filters by recursive descent.
///
/// `(` may begin a filter or an expression. It is read without deciding: whatever turns up inside decides, so that no
/// text is read twice.
struct FilterParser {
    /// What a text turned out to be.
    enum Term {
        case filter(Filter)
        case expression(FilterExpression)
    }

    /// The deepest tree that is read.
    static let depthLimit = 32

    let source: FilterSource
    private let tokens: [FilterToken]
    private var index = 0
    /// How high the tree above and around the current token is.
    var depth = 0

    init(_ source: FilterSource, arguments: [FilterOperand]) throws(FilterError) {
        var lexer = FilterLexer(source, arguments: arguments)
        self.source = source
        tokens = try lexer.tokens()
    }

    var token: FilterToken { tokens[index] }
    /// The token behind the current one.
    var following: FilterToken { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() { index = min(index + 1, tokens.count - 1) }

    func failure(expected: String) -> FilterError {
        let found = token.kind == .end ? "the end" : source.text(from: token.start, to: token.end)
        return FilterError(found: found, expected: expected, position: source.position(of: token.start))
    }

    /// Counts one more level of the tree.
    mutating func deepen() throws(FilterError) {
        depth += 1
        guard depth <= Self.depthLimit else {
            throw FilterError(
                .depth, "nested deeper than \(Self.depthLimit) levels", position: source.position(of: token.start))
        }
    }

    /// Whether the current token is `symbol`.
    func isAt(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    /// The current word in upper case, if it is a word.
    var keyword: String? {
        guard case .word(let word) = token.kind else { return nil }
        return word.inKeywordCase
    }

    /// Takes `symbol` if it stands here.
    mutating func take(_ symbol: String) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    /// Takes `symbol`, which must stand here.
    mutating func need(_ symbol: String) throws(FilterError) {
        guard take(symbol) else { throw failure(expected: symbol) }
    }

    /// A filter that is all of the text.
    mutating func wholeFilter() throws(FilterError) -> Filter {
        let filter = try filter()
        guard token.kind == .end else { throw failure(expected: "AND, OR or the end") }
        return filter
    }

    /// An expression that is all of the text.
    mutating func wholeExpression() throws(FilterError) -> FilterExpression {
        let expression = try expression()
        guard token.kind == .end else { throw failure(expected: "the end") }
        return expression
    }

    /// A filter.
    mutating func filter() throws(FilterError) -> Filter {
        guard case .filter(let filter) = try disjunction() else { throw failure(expected: "an operator") }
        return filter
    }
}
