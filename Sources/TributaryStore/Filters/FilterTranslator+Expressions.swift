import TributarySQLite

extension FilterTranslator {
    /// The SQL of an expression.
    mutating func side(_ expression: FilterExpression) throws(FilterError) -> FilterSide {
        if expression.isConstant { return try side(FilterEvaluator(EmptySubject()).value(of: expression)) }
        switch expression {
        case .constant(let value): return try side(FilterResult(value))
        case .subject: return .term(subject)
        case .keyPath(let keys): return try follow(keys[...], from: .term(subject))
        case .path(let base, let keys): return try follow(keys[...], from: side(base))
        case .variable(let name):
            guard let term = variables[name] else { throw FilterError(.variable, "the variable $\(name) has no value") }
            return .term(term)
        case .aggregate(let elements): return .list(try terms(elements), isToMany: false)
        case .negation(let inner):
            let term = try term(inner)
            if term.isNull { return .term(.null) }
            guard term.kind.family == .number else { throw FilterError(.operand, "\(inner) is not a number") }
            return .term(FilterTerm("_negate(\(term.arguments))", .number))
        case .operation(let operation, let left, let right):
            return .term(try apply(operation, term(left), term(right)))
        case .function(let function, let arguments): return try call(function, arguments)
        case .subquery(let collection, let variable, let filter):
            guard case .rows(var rows) = try side(collection) else {
                throw Self.unsupported("a SUBQUERY of an expression that is not a relationship")
            }
            if rows.isDistinct { throw Self.unsupported("a SUBQUERY of distinct elements") }
            let outer = variables
            defer { variables = outer }
            variables[variable] = rows.element
            rows.conditions.append(try condition(filter))
            return .rows(rows)
        case .ternary(let filter, let yes, let no):
            return .term(try ternary(condition(filter), term(yes), term(no)))
        case .cast(let inner, let type): return .term(try cast(term(inner), type))
        case .element(let base, let index): return try element(of: side(base), index)
        }
    }

    /// The SQL of an expression, which must have a single value.
    private mutating func term(_ expression: FilterExpression) throws(FilterError) -> FilterTerm {
        guard case .term(let term) = try side(expression) else {
            throw Self.unsupported("\(expression) as a single value")
        }
        return term
    }

    private mutating func terms(_ expressions: [FilterExpression]) throws(FilterError) -> [FilterTerm] {
        try expressions.map { expression throws(FilterError) in try term(expression) }
    }

    /// The SQL of a result that was computed in memory.
    private func side(_ result: FilterResult) throws(FilterError) -> FilterSide {
        switch result {
        case .collection(let elements, let isToMany):
            var terms: [FilterTerm] = []
            for element in elements {
                guard case .term(let term) = try side(element) else { throw Self.unsupported("lists within lists") }
                terms.append(term)
            }
            return .list(terms, isToMany: isToMany)
        case .value(.object), .subject:
            guard let object = result.reference?.base as? any FilterStoredObject else {
                throw Self.unsupported("an object that is not in a store")
            }
            // Primary keys begin at 1, so 0 matches no row.
            let key = object.storedKey ?? 0
            var term = FilterTerm(key: SQLFragment(key), of: object.storedEntity)
            term.constant = .integer(key)
            term.isNullable = false
            term.isSimple = true
            return .term(term)
        case .value(let value):
            guard let (kind, value) = FilterCodec.encode(value) else { throw Self.unsupported("\(value)") }
            return .term(kind == .null ? .null : FilterTerm(constant: FilterCodec.decode(value, as: kind), kind, value))
        }
    }

    private func apply(
        _ operation: FilterOperation, _ left: FilterTerm, _ right: FilterTerm
    ) throws(FilterError) -> FilterTerm {
        if left.isNull || right.isNull { return .null }
        let kind: FilterKind
        switch (operation, left.kind.family, right.kind.family) {
        case (.union, _, _), (.intersect, _, _), (.minus, _, _): throw Self.unsupported(operation.rawValue)
        case (_, .number, .number), (.subtract, .date, .date): kind = .number
        case (.add, .date, .number), (.subtract, .date, .number): kind = .moment
        default: throw FilterError(.operand, "\(operation.rawValue) needs numbers on both sides")
        }
        let name = SQLFragment(trusted: "'\(operation.rawValue)'")
        return FilterTerm("_apply(\(name), \(left.arguments), \(right.arguments))", kind)
    }

    private mutating func call(
        _ function: FilterFunction, _ arguments: [FilterExpression]
    ) throws(FilterError) -> FilterSide {
        switch function {
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev:
            if arguments.count == 1 { return .term(try collect(function, side(arguments[0]))) }
            return .term(try collect(function, .list(terms(arguments), isToMany: false)))
        case .random, .randomn: throw Self.unsupported("random numbers")
        case .noindex:
            return try arguments.first.map { argument throws(FilterError) in try side(argument) } ?? .term(.null)
        default: break
        }
        guard let argument = try arguments.first.map({ argument throws(FilterError) in try term(argument) }),
            !argument.isNull
        else { return .term(.null) }
        let isText = [.uppercase, .lowercase, .canonical, .length].contains(function)
        guard argument.kind.family == (isText ? .string : .number) else {
            throw FilterError(.operand, "\(function.rawValue) needs a \(isText ? "text" : "number")")
        }
        let name = SQLFragment(trusted: "'\(function.rawValue)'")
        let kind: FilterKind = function == .length ? .integer : isText ? .string : .number
        return .term(FilterTerm("_call(\(name), \(argument.arguments))", kind))
    }

    private func ternary(
        _ condition: SQLFragment, _ yes: FilterTerm, _ no: FilterTerm
    ) throws(FilterError) -> FilterTerm {
        func choice(_ yes: SQLFragment, _ no: SQLFragment, _ kind: FilterKind) -> FilterTerm {
            FilterTerm("CASE WHEN \(condition) THEN \(yes) ELSE \(no) END", kind)
        }
        if yes.isNull && no.isNull { return .null }
        if yes.kind == .object || no.kind == .object || yes.kind == .opaque || no.kind == .opaque {
            throw Self.unsupported("TERNARY of objects")
        }
        let (first, second) = (yes.comparable, no.comparable)
        if first.kind == second.kind || second.isNull { return choice(first.sql, second.sql, first.kind) }
        if first.isNull { return choice(first.sql, second.sql, second.kind) }
        func box(_ term: FilterTerm) -> SQLFragment { term.kind == .any ? term.sql : "_box(\(term.arguments))" }
        return choice(box(first), box(second), .any)
    }

    private func cast(_ term: FilterTerm, _ type: FilterCast) throws(FilterError) -> FilterTerm {
        if term.isNull || term.kind == .object { return .null }
        if term.kind == .opaque { throw Self.unsupported("CAST of a transformed value") }
        let kind: FilterKind =
            switch type {
            case .string: .string
            case .number, .decimal, .double: .number
            case .integer: .integer
            case .boolean: .boolean
            case .date: .moment
            case .data: .data
            case .uuid: .uuid
            case .url: .url
            }
        let name = SQLFragment(trusted: "'\(type.rawValue)'")
        return FilterTerm("_cast(\(name), \(term.arguments))", kind)
    }

    private mutating func element(of base: FilterSide, _ index: FilterIndex) throws(FilterError) -> FilterSide {
        if index == .size { return .term(try collect(.count, base)) }
        guard case .list(let terms, _) = base else { throw Self.unsupported("the element at an index") }
        switch index {
        case .first: return .term(terms.first ?? .null)
        case .last: return .term(terms.last ?? .null)
        default: throw Self.unsupported("the element at an index")
        }
    }
}

extension FilterExpression {
    /// Whether its value is the same for every subject.
    var isConstant: Bool {
        switch self {
        case .constant: true
        case .subject, .keyPath, .variable, .subquery, .ternary, .function(.random, _), .function(.randomn, _): false
        case .path(let inner, _), .negation(let inner), .cast(let inner, _): inner.isConstant
        case .aggregate(let elements), .function(_, let elements): elements.allSatisfy(\.isConstant)
        case .operation(_, let left, let right): left.isConstant && right.isConstant
        case .element(let base, .at(let index)): base.isConstant && index.isConstant
        case .element(let base, _): base.isConstant
        }
    }
}
