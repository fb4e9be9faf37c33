import TributaryImport

/// The words of a command line, sorted into options and operands.
package struct ParsedOptions {
    /// The values by main name; a switch has an empty one.
    private(set) var values: [String: String] = [:]
    private(set) var operands: [String] = []
    private let spec: CommandSpec
    var command: String { spec.name }
    /// The options in the order in which they were given.
    private var order: [(option: OptionSpec, name: String)] = []

    /// Sorts `words` into the options and operands of `command`.
    ///
    /// Accepted are `--name value`, `--name=value`, `-n value`; `--` ends the options, and `-` is an operand.
    init(_ words: [String], of command: CommandSpec) throws(UsageError) {
        spec = command
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
            let name = parts[0]
            guard let option = command.option(name) else {
                let names = command.options.flatMap(\.names)
                throw UsageError("Unknown option '\(name)'" + Suggestion.hint(for: name, among: names))
            }
            let earlier = values[option.name]
            guard earlier == nil || option.isRepeatable else {
                throw UsageError("Option '\(option.name)' is given twice")
            }
            // A long name is repeated as it was written.
            if earlier == nil { order.append((option, name.hasPrefix("--") ? name : option.name)) }
            let value = try ParsedOptions.value(of: option, of: command, word: word, parts: parts, rest: &rest)
            values[option.name] = earlier.map { "\($0),\(value)" } ?? value
        }
    }

    private static func value(
        of option: OptionSpec, of command: CommandSpec, word: String, parts: [String], rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        let inline: String? = word.hasPrefix("--") && word.contains("=") ? (parts.count == 2 ? parts[1] : "") : nil
        guard let value = option.value else {
            if inline != nil { throw UsageError("Option '\(option.name)' takes no value") }
            return ""
        }
        if let inline { return inline }
        if let value = option.impliedValue { return value }
        guard let next = rest.popFirst() else {
            throw UsageError("Option '\(option.name)' needs a value: \(option.name) \(value)")
        }
        guard next != "--", !command.options.contains(where: { $0.names.contains(next) }) else {
            let hint = option.name.hasPrefix("--") ? "; for that name write \(option.name)=\(next)" : ""
            throw UsageError("Option '\(option.name)' needs a value, and '\(next)' is an option\(hint)")
        }
        return next
    }

    /// The command line as text for a shell, without the options in `names`, and with other `options`.
    func line(leavingOut names: Set<String>, adding options: [String] = []) -> String {
        var words = ["tributary", command]
        // Operands that look like options must follow `--` at the end of the line.
        let needsSeparator = operands.contains { $0.hasPrefix("-") && $0 != "-" }
        let operands = operands.map(DatabaseName.shown)
        if !needsSeparator { words += operands }
        for (option, name) in order where !names.contains(option.name) {
            let value = DatabaseName.shown(values[option.name] ?? "")
            // A value that looks like an option is read as one unless it is attached.
            if option.impliedValue != nil || value.hasPrefix("-") && name.hasPrefix("--") {
                words.append(value == option.impliedValue ? name : "\(name)=\(value)")
            } else {
                words += option.value == nil ? [name] : [name, value]
            }
        }
        words += options
        if needsSeparator { words += ["--"] + operands }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    /// The given options whose main names are in `names`, as words.
    func words(of names: Set<String>) -> [String] {
        order.filter { names.contains($0.option.name) }.flatMap { option, name -> [String] in
            let value = values[option.name] ?? ""
            if option.value == nil { return [name] }
            return option.impliedValue != nil || value.hasPrefix("-") ? ["\(option.name)=\(value)"] : [name, value]
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
}

// MARK: Values

extension ParsedOptions {
    /// The value of `name` as a whole number, or as a number of bytes: `4096`, `64K`, `16M`, `1G`, in powers of 1024.
    func number(_ name: String) throws(UsageError) -> Int? {
        guard let text = values[name], let kind = spec.option(name)?.kind else { return nil }
        switch kind {
        case .number(let least, let most):
            guard let number = Int(text), number >= least else {
                throw UsageError("Option '\(name)' takes a whole number of at least \(least), not '\(text)'")
            }
            guard number <= most else { throw UsageError("Option '\(name)' takes at most \(most), not '\(text)'") }
            return number
        case .bytes(let least, let most):
            guard let number = ParsedOptions.bytes(text) else {
                throw UsageError("Option '\(name)' takes a number of bytes such as 4096, 64K or 16M, not '\(text)'")
            }
            guard number >= least else {
                throw UsageError("Option '\(name)' takes at least \(OptionSpec.size(least)) bytes, not '\(text)'")
            }
            guard number <= most else {
                throw UsageError("Option '\(name)' takes at most \(most) bytes, not '\(text)'")
            }
            return number
        case .flag, .text, .choice: return nil
        }
    }

    package static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let unit = text[digits.endIndex...].uppercased()
        let factors = [
            "": 0, "B": 0, "K": 10, "KB": 10, "KIB": 10, "M": 20, "MB": 20, "MIB": 20, "G": 30, "GB": 30, "GIB": 30,
        ]
        guard let power = factors[unit], number <= Int.max >> power else { return nil }
        return number << power
    }

    func text(_ name: String) -> String? { values[name] }

    /// The value of `name` as names separated by commas.
    func names(_ name: String) throws(UsageError) -> [String]? {
        guard let text = values[name] else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw UsageError("Option '\(name)' takes names separated by commas, not '\(text)'")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw UsageError("Option '\(name)' names '\(twice)' twice")
        }
        return names
    }

    /// The only operand, which names a file; `noun` and the command line `usage` are shown without it.
    func operand(_ noun: String, _ usage: String) throws(UsageError) -> String {
        guard operands.count == 1, operands[0] != "-" else { throw UsageError("Name one \(noun): \(usage)") }
        return operands[0]
    }

    /// The only operand, which names a database.
    func database(_ usage: String) throws(UsageError) -> DatabaseName {
        try DatabaseName(operand("database", usage))
    }

    /// The value of `name`, or its default, as one of the words that it takes; nil without both.
    func choice<Value>(_ name: String, _ make: (String) -> Value?) throws(UsageError) -> Value? {
        guard let option = spec.option(name) else { return nil }
        let words = option.words
        guard let text = values[name] ?? words.first(where: { $0 == option.defaultText }) else { return nil }
        guard words.contains(text), let value = make(text) else {
            let hint = Suggestion.hint(for: text, among: words)
            throw UsageError("Option '\(name)' takes \(words.joined(separator: ", ")), not '\(text)'\(hint)")
        }
        return value
    }

    /// Refuses two of these options together.
    func exclude(_ names: String...) throws(UsageError) {
        let given = names.filter(has)
        guard given.count > 1 else { return }
        throw UsageError("'\(given[0])' and '\(given[1])' cannot be used together")
    }
}
