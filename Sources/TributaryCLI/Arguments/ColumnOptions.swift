import TributaryImport

/// The options about the values of columns without a model.
enum ColumnOptions {
    /// The options that change or check values.
    static let valueSpecs = [
        OptionSpec(
            "--convert", value: "COLUMN=KIND,..", isRepeatable: true,
            for: .sqlite("convert the values on the server afterwards, as with to_timestamp(n)"),
            help:
                "Convert values: \(ColumnConversion.words.joined(separator: ", ")) (as d.M.yyyy)"
        ),
        OptionSpec(
            "--default", value: "NAME=VALUE,..", isRepeatable: true,
            for: .sqlite("give the column a default on the server, before the import or afterwards"),
            help: "The value in a new row whose record lacks the member: a JSON scalar, or else text"),
        OptionSpec(
            "--not-null", value: "NAME,..", isRepeatable: true,
            for: .sqlite("declare the column so on the server, after the first import"),
            help: "Reject records without a value there; the table itself is not declared so"),
    ].group(.columns)

    /// The options that make indexes.
    static let indexSpecs = [
        OptionSpec(
            "--index", value: "NAME,..", isRepeatable: true,
            for: .sqlite("make it once on the server, which keeps it in step"),
            help: "Make an index of each of these columns at the end; A+B of two in one, TABLE.NAME of other tables"),
        OptionSpec(
            "--unique", value: "NAME,..", isRepeatable: true,
            for: .sqlite("make it once on the server, which keeps it in step"),
            help: "Make a unique index of each; a later record with a known value becomes a reject"),
    ].group(.columns)

    /// The options that need a table without a model.
    static let names = (valueSpecs + indexSpecs).map(\.name)

    /// What becomes of the values of columns; nil for as they are.
    static func rules(_ parsed: ParsedOptions) throws(UsageError) -> [String: ColumnRule]? {
        var rules: [String: ColumnRule] = [:]
        /// The name of a column as it was written first: SQLite ignores the case of letters.
        func known(_ name: String) -> String { rules.keys.first { $0.lowercased() == name.lowercased() } ?? name }
        for (name, text) in try assignments(parsed, "--convert", endsWith: { ColumnConversion($0) != nil }) {
            guard let conversion = ColumnConversion(text) else {
                let hint = text.hasPrefix("date:") ? "" : Suggestion.hint(for: text, among: ColumnConversion.words)
                throw UsageError(
                    "Option '--convert' takes \(ColumnConversion.words.joined(separator: ", ")), not '\(text)'\(hint)")
            }
            rules[known(name), default: ColumnRule()].conversions.append(conversion)
        }
        for (name, text) in try assignments(parsed, "--default") {
            guard rules[known(name)]?.defaultValue == nil else {
                throw UsageError("Option '--default' names '\(name)' twice")
            }
            guard let value = ColumnValue(written: text) else {
                throw UsageError("Option '--default' takes a value, and null is that of '\(name)' without the option")
            }
            rules[known(name), default: ColumnRule()].defaultValue = value
        }
        for name in try parsed.names("--not-null") ?? [] { rules[known(name), default: ColumnRule()].needsValue = true }
        for name in rules.keys.sorted() {
            guard let fault = EntityName.columnFault(in: name) else { continue }
            let option = ["--convert", "--default", "--not-null"].first(where: parsed.has) ?? ""
            throw UsageError("Option '\(option)': '\(name)' \(fault)")
        }
        return rules.isEmpty ? nil : rules
    }

    /// The assignments `NAME=VALUE,…` of an option; a part without a sign belongs to the value before it, as in
    /// `day=date:MMM d, yyyy`.
    ///
    /// A value in double quotes is a string of JSON, with all that is in them.
    private static func assignments(
        _ parsed: ParsedOptions, _ option: String, endsWith isValue: (String) -> Bool = { _ in false }
    ) throws(UsageError) -> [(name: String, value: String)] {
        guard let text = parsed.text(option) else { return [] }
        var found: [(name: String, value: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if let last = found.last, isOpen(last.value) || !part.contains("=") {
                found[found.count - 1].value += ",\(part)"
                continue
            }
            let signs = part.indices.filter { part[$0] == "=" }
            let sign = signs.last { isValue(String(part[part.index(after: $0)...])) } ?? signs.first
            guard let sign, sign > part.startIndex else {
                throw UsageError("Option '\(option)' takes NAME=VALUE, not '\(part)'")
            }
            found.append((String(part[..<sign]), String(part[part.index(after: sign)...])))
        }
        return found
    }

    /// Whether a string of JSON in a value has no end yet.
    private static func isOpen(_ value: String) -> Bool {
        guard value.hasPrefix("\"") else { return false }
        var isEscaped = false
        for (place, byte) in value.utf8.enumerated() where place > 0 {
            if !isEscaped, byte == UInt8(ascii: "\"") { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return true
    }
}
