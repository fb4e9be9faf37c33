import Foundation
import TributaryImport

/// The options about inferred columns.
enum InferenceOptions {
    static let specs = [
        OptionSpec(
            "--types", value: "NAME=TYPE,..", isRepeatable: true,
            help: "Types of inferred columns: \(typeNames.joined(separator: ", ")); or a file, one NAME=TYPE a line"),
        OptionSpec(
            "--numbers", value: "MODE",
            as: .cases(of: ColumnInference.Numbers.self, ["rounded": "and counted", "exact": "as text"]),
            default: ColumnInference().numbers.rawValue, help: "Decimals beyond a double in inferred columns"),
        OptionSpec(
            "--flatten", value: "SEP", implied: "_",
            help: "Make columns of the members of nested objects, as in address_city"),
        OptionSpec(
            "--relations", value: "all", as: .cases(of: Relations.self), implied: Relations.keyed.rawValue,
            listing: .notAtAll,
            for: .sqlite("nested objects become rows by a model; otherwise they stay JSON"),
            help: "Make tables of nested objects and arrays of objects that have an id; =all also of those without one"
        ),
        OptionSpec(
            "--columns", value: "NAME=PATH,..", isRepeatable: true,
            help: "Only these columns, with the paths of their values, as in city=address.city or id"),
        OptionSpec(
            "--source-column", value: "NAME", for: .sqlite("add the column afterwards, or import the files one by one"),
            help: "The column that gets the name of the file of each record"),
        OptionSpec(
            "--extended-json", value: "WHEN", as: .cases(of: ExtendedValues.self, ["never": "as JSON"]),
            for: .sqlite("take the values by their paths, as in --columns 'id=_id.$oid'"),
            help: "Values with the types of MongoDB, plain: {\"$numberLong\": \"5\"} becomes 5"),
    ].group(.columns)

    /// Which nested objects become tables: those with an id, or all.
    enum Relations: String, CaseIterable {
        case keyed, all
    }

    /// Whether the typed values of MongoDB become plain ones.
    enum ExtendedValues: String, CaseIterable {
        case auto, never
    }

    private static let typeNames = ColumnInference.ColumnType.allCases.map(\.rawValue)

    /// The settings that `parsed` states.
    static func inference(_ parsed: ParsedOptions) throws(UsageError) -> ColumnInference {
        var inference = ColumnInference()
        if let numbers = try parsed.choice("--numbers", ColumnInference.Numbers.init) { inference.numbers = numbers }
        if let text = parsed.text("--types") { inference.types = try types(text) }
        var shaping = ColumnShaping()
        shaping.flatten = parsed.text("--flatten")
        shaping.source = parsed.text("--source-column")
        if let name = shaping.source, let fault = EntityName.columnFault(in: name) {
            throw UsageError("Option '--source-column': '\(name)' \(fault)")
        }
        shaping.unwrapsExtendedJSON = try parsed.choice("--extended-json", ExtendedValues.init) != .never
        shaping.columns = try parsed.text("--columns").map(columns)
        shaping.rules = try ColumnOptions.rules(parsed)
        if let source = shaping.source,
            shaping.rules?.keys.contains(where: { $0.lowercased() == source.lowercased() }) ?? false
        {
            throw UsageError("'\(source)' is the name of a file by '--source-column', which no rule of columns changes")
        }
        try parsed.exclude("--flatten", "--columns")
        if shaping != ColumnShaping() { inference.shaping = shaping }
        return inference
    }

    /// The settings of a table that another program made.
    static func existing(_ parsed: ParsedOptions) throws(UsageError) -> ExistingTable {
        var existing = ExistingTable()
        existing.addsColumns = parsed.has("--add-columns")
        existing.appends = parsed.has("--append")
        existing.rest = parsed.text("--rest")
        if existing.rest == "" { throw UsageError("Option '--rest' takes the name of a column") }
        if existing.appends, parsed.has("--key") {
            throw UsageError("'--append' and '--key' cannot be used together: with a key, rows are updated")
        }
        return existing
    }

    /// The columns `name=path,…`; a path without a name is its own name.
    private static func columns(_ text: String) throws(UsageError) -> [ColumnShaping.Selection] {
        var names: Set<String> = []
        var columns: [ColumnShaping.Selection] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            var path = sides.last ?? ""
            if path.hasPrefix(".") { path.removeFirst() }
            let name = sides.count == 2 ? sides[0] : path.split(separator: ".").last.map(String.init) ?? ""
            guard !path.isEmpty,
                path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
            else { throw UsageError("Option '--columns' takes NAME=PATH, as in city=address.city, not '\(part)'") }
            if let fault = EntityName.columnFault(in: name) {
                throw UsageError("Option '--columns': '\(name)' \(fault)")
            }
            guard names.insert(name.lowercased()).inserted else {
                throw UsageError("Option '--columns' names '\(name)' twice")
            }
            columns.append(ColumnShaping.Selection(name, path: path))
        }
        return columns
    }

    /// The columns of the key and the paths of their values; `--key` takes paths as well, as in `_id.$oid`.
    static func key(
        _ names: [String]?, remote: [String]?, separator: String?, isInferred: Bool
    ) throws(UsageError) -> (names: [String]?, remote: [String]?) {
        guard let names, isInferred, names.contains(where: { $0.contains(".") }) else { return (names, remote) }
        guard remote == nil else {
            throw UsageError("With '--remote-key' the names of '--key' are columns, and cannot be paths with dots")
        }
        let columns = names.map { path in
            RemoteKey(word: path).path.filter { !$0.hasPrefix("$") }.joined(separator: separator ?? "_")
        }
        guard columns.allSatisfy({ !$0.isEmpty }), Set(columns).count == columns.count else {
            throw UsageError(
                "The paths of '--key' need a different last name each; name the columns with '--remote-key'")
        }
        return (columns, names)
    }

    /// The types of columns: `id=text,price=real`, or the name of a file with one of them a line.
    private static func types(_ text: String) throws(UsageError) -> [String: ColumnInference.ColumnType] {
        var parts = text.split(separator: ",").map(String.init)
        if !text.contains("=") {
            guard let data = FileManager.default.contents(atPath: text) else {
                throw UsageError("Option '--types' takes NAME=TYPE or a file, and there is no file '\(text)'")
            }
            parts = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        var types: [String: ColumnInference.ColumnType] = [:]
        for part in parts {
            guard let sign = part.lastIndex(of: "="), sign > part.startIndex else {
                throw UsageError("Option '--types' takes NAME=TYPE, not '\(part)'")
            }
            let name = String(part[..<sign])
            let word = String(part[part.index(after: sign)...])
            guard let type = ColumnInference.ColumnType(rawValue: word.lowercased()) else {
                let hint = Suggestion.hint(for: word, among: typeNames)
                throw UsageError("Option '--types' takes \(typeNames.joined(separator: ", ")), not '\(word)'\(hint)")
            }
            guard types.updateValue(type, forKey: name) == nil else {
                throw UsageError("Option '--types' names '\(name)' twice")
            }
        }
        return types
    }
}
