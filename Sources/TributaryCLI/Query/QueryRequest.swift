import TributaryJSON
import TributaryStore

/// Makes the request of a query, and errors with the nearest names.
struct QueryRequest {
    private let command: QueryCommand
    private let source: QuerySource

    /// The request of a command for a source.
    init(_ command: QueryCommand, _ source: QuerySource) { (self.command, self.source) = (command, source) }

    /// The request.
    func request() throws -> ValueRequest {
        var request = ValueRequest(entity: source.entity.name, where: command.filter)
        request.match = command.match
        request.groupBy = try command.groups.map(path)
        request.columns = try columns()
        let names = request.columns.map(\.name)
        request.having = command.having
        request.sort = try command.sort.map { text in
            let isDescending = text.hasPrefix("-") && source.entity[text] == nil
            let field = isDescending ? String(text.dropFirst()) : text
            var key = SortKey(field, ascending: !isDescending)
            key.keyPath = names.contains(field) ? [field] : try source.valuePath(path(field))
            return key
        }
        (request.limit, request.offset) = (command.limit, command.offset)
        return request
    }

    private func columns() throws -> [ValueRequest.Column] {
        if let fields = command.fields {
            return try fields.map { field in
                // A column of another program may have any name.
                if source.entity[field.whole] != nil { return column(field.whole, [field.whole]) }
                return ValueRequest.Column(field.name, try expression(field.text))
            }
        }
        guard !command.groups.isEmpty else { return source.fields.map { column($0, [$0]) } }
        let keys = try command.groups.map { column($0, try path($0)) }
        return keys + [ValueRequest.Column("count", .function(.count, [.subject]))]
    }

    private func column(_ name: String, _ path: [String]) -> ValueRequest.Column {
        ValueRequest.Column(name, .keyPath(source.valuePath(path)))
    }

    private func expression(_ text: String) throws -> FilterExpression {
        if source.entity[text] != nil { return .keyPath(source.valuePath([text])) }
        do {
            let expression = try FilterExpression(format: text)
            guard case .keyPath(let path) = expression else { return expression }
            return .keyPath(source.valuePath(path))
        } catch {
            throw CommandError("field '\(Excerpt.escape(text))': \(error)")
        }
    }

    /// The path that a text is.
    private func path(_ text: String) throws -> [String] {
        if source.entity[text] != nil { return [text] }
        do {
            if case .keyPath(let path) = try FilterExpression(format: text) { return path }
        } catch {
            throw CommandError("field '\(Excerpt.escape(text))': \(error)")
        }
        throw CommandError(
            "'\(Excerpt.escape(text))' is not a path to a value; name it in --fields, as in 'n=\(Excerpt.escape(text))'"
        )
    }

    // MARK: Errors

    /// Calls `body`, which translates a request, and names the nearest property if one of its names is unknown.
    func naming<Result>(_ request: ValueRequest, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FilterError where error.code == .key {
            throw unknownName(in: request) ?? error
        }
    }

    /// The error of the first name that no property has.
    private func unknownName(in request: ValueRequest) -> CommandError? {
        var found: CommandError?
        func look(_ expression: FilterExpression) -> FilterExpression? {
            if found == nil, case .keyPath(let path) = expression { found = error(path) }
            return nil
        }
        for column in request.columns { _ = column.expression.mapping(look) }
        _ = request.filter?.mapping(look)
        for path in request.groupBy + request.sort.map(\.keyPath) where found == nil { found = error(path) }
        return found
    }

    private func error(_ path: [String]) -> CommandError? {
        guard let (name, entity) = source.unknownName(in: path) else { return nil }
        let names = entity.properties.map(\.name)
        let hint = Suggestion.hint(for: name, among: names)
        let list = hint.isEmpty && !names.isEmpty ? "; it has \(names.map { Excerpt.escape($0) }.shortList)" : hint
        return CommandError("\(Excerpt.escape(entity.name)) has no '\(Excerpt.escape(name))'\(list)")
    }
}
