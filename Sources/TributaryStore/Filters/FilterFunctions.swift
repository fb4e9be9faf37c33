package import TributarySQLite

/// The SQL functions that the SQL of filters calls, with the same results as the evaluation in memory.
package enum FilterFunctions {
    /// Defines the functions on a connection.
    package static func define(on connection: Connection) throws {
        try connection.define("_fold", argumentCount: 2) { arguments in
            guard case .text(let text) = arguments[0] else { return .null }
            return .text(TextFold.fold(text, options: FilterOptions(rawValue: Int(integer(arguments[1])))))
        }
        try connection.define("_test", argumentCount: 6) { arguments in
            guard let name = text(arguments[0]), let `operator` = FilterOperator(rawValue: name) else { return .null }
            let options = FilterOptions(rawValue: Int(integer(arguments[1])))
            let test = FilterComparison(.subject, `operator`, .subject, options: options)
            let holds = try test.holds(.value(value(arguments, 2)), .value(value(arguments, 4)))
            return .integer(holds ? 1 : 0)
        }
        try connection.define("_apply", argumentCount: 5) { arguments in
            guard let name = text(arguments[0]), let operation = FilterOperation(rawValue: name) else { return .null }
            let evaluator = FilterEvaluator(EmptySubject())
            let left = FilterExpression.constant(value(arguments, 1))
            let right = FilterExpression.constant(value(arguments, 3))
            return encoded(try evaluator.value(of: .operation(operation, left, right)))
        }
        try connection.define("_negate", argumentCount: 2) { arguments in
            let value = value(arguments, 0)
            return encoded(try FilterEvaluator(EmptySubject()).value(of: .negation(.constant(value))))
        }
        try connection.define("_call", argumentCount: 3) { arguments in
            guard let name = text(arguments[0]), let function = FilterFunction(rawValue: name) else { return .null }
            return encoded(try FilterEvaluator(EmptySubject()).call(function, [.value(value(arguments, 1))]))
        }
        try connection.define("_cast", argumentCount: 3) { arguments in
            guard let name = text(arguments[0]), let type = FilterCast(rawValue: name) else { return .null }
            return encoded(.value(type.cast(value(arguments, 1))))
        }
        try connection.define("_pack", argumentCount: 2) { arguments in
            .text(FilterCodec.packed(value(arguments, 0)))
        }
        try connection.define("_element", argumentCount: 2) { arguments in
            let value = value(arguments, 0)
            return .text(value.isNull ? "" : FilterCodec.packed(value))
        }
        try connection.define("_box", argumentCount: 2) { arguments in
            let value = value(arguments, 0)
            return value.isNull ? .null : .text(FilterCodec.packed(value))
        }
        try connection.define("_collect", argumentCount: 3) { arguments in
            guard let name = text(arguments[0]), let function = FilterFunction(rawValue: name) else { return .null }
            let elements = FilterCodec.unpacked(text(arguments[1]) ?? "").map(FilterResult.value)
            let result = try FilterStatistics(elements).result(of: function)
            guard text(arguments[2]) == "a", case .value(let value) = result else { return encoded(result) }
            return value.isNull ? .null : .text(FilterCodec.packed(value))
        }
        try connection.define("_order", argumentCount: 2) { arguments in FilterOrderKey.key(value(arguments, 0)) }
        try FetchAggregate.define(on: connection)
    }

    private static func text(_ value: SQLValue) -> String? {
        guard case .text(let text) = value else { return nil }
        return text
    }

    private static func integer(_ value: SQLValue) -> Int64 {
        guard case .integer(let number) = value else { return 0 }
        return number
    }

    /// The filter value of two arguments: the kind at `index`, then the value.
    static func value(_ arguments: SQLArguments, _ index: Int) -> FilterValue {
        guard let kind = text(arguments[index]).flatMap({ $0.first }).flatMap(FilterKind.init(rawValue:)) else {
            return .null
        }
        return FilterCodec.decode(arguments[index + 1], as: kind)
    }

    /// The SQL value of a result; null for lists and objects.
    static func encoded(_ result: FilterResult) -> SQLValue {
        guard case .value(let value) = result else { return .null }
        return FilterCodec.encode(value)?.value ?? .null
    }
}
