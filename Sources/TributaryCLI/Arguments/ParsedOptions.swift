import TributaryHTTP
import TributaryImport

/// The words of a command line, sorted into options and operands.
package struct ParsedOptions {
    /// The values by main name; a switch has an empty one.
    private(set) var values: [String: String] = [:]
    private(set) var operands: [String] = []
    let spec: CommandSpec
    var command: String { spec.name }
    /// The options in the order in which they were given.
    private var order: [(option: OptionSpec, name: String)] = []

    /// Sorts `words` into the options and operands of `command`, and checks the values of the options.
    ///
    /// Accepted are `--name value`, `--name=value`, `-n value`, `-nvalue` and switches together, as in `-rq`; `--` ends
    /// the options, and `-` is an operand.
    init(_ words: [String], of command: CommandSpec) throws(UsageError) {
        spec = command
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            if word.hasPrefix("--") {
                try readLong(word, &rest, words)
            } else {
                try readShort(word, &rest)
            }
        }
        for option in command.options where has(option.name) { try check(option) }
    }

    private mutating func readLong(
        _ word: String, _ rest: inout ArraySlice<String>, _ words: [String]
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = spec.option(parts[0]) else {
            if let line = DatabaseFirst.line(for: words, spec) {
                throw UsageError("The database is the first word after the command: \(line)")
            }
            throw UsageError("Unknown option '\(parts[0])'" + Suggestion.hint(for: parts[0], among: spec.optionNames))
        }
        let inline = parts.count == 2 ? parts[1] : nil
        if option.value == nil, inline != nil { throw UsageError("Option '\(option.name)' takes no value") }
        try set(option, named: parts[0], inline ?? option.impliedValue, &rest)
    }

    /// Reads `-n value`, `-nvalue`, or switches that are written together.
    private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = spec.option("-\(letter)") else {
                let name = word.count == 2 ? word : "-\(letter)' in '\(word)"
                let meant = word.count > 2 && spec.option("-\(word)") != nil ? ". Did you mean '-\(word)'?" : ""
                let hint =
                    meant.isEmpty && word.count == 2 ? Suggestion.hint(for: word, among: spec.optionNames) : meant
                throw UsageError("Unknown option '\(name)'" + hint)
            }
            if option.value == nil {
                try set(option, named: option.name, nil, &rest)
                continue
            }
            try set(option, named: option.name, letters.isEmpty ? nil : String(letters), &rest)
            return
        }
    }

    /// Keeps an option; its value is `inline` or the next word.
    private mutating func set(
        _ option: OptionSpec, named name: String, _ inline: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let earlier = values[option.name]
        guard earlier == nil || option.isRepeatable else {
            throw UsageError("Option '\(option.name)' is given twice")
        }
        var value = inline ?? ""
        if inline == nil, let noun = option.value {
            guard let next = rest.popFirst() else {
                throw UsageError("Option '\(option.name)' needs a value: \(option.name) \(noun)")
            }
            guard next != "--", spec.option(next) == nil else {
                let hint = option.name.hasPrefix("--") ? "; for that name write \(option.name)=\(next)" : ""
                throw UsageError("Option '\(option.name)' needs a value, and '\(next)' is an option\(hint)")
            }
            value = next
        }
        // A long name is repeated as it was written.
        if earlier == nil { order.append((option, name)) }
        values[option.name] = earlier.map { "\($0),\(value)" } ?? value
    }

    /// Refuses a value that no option of its kind takes.
    private func check(_ option: OptionSpec) throws(UsageError) {
        let text = values[option.name] ?? ""
        switch option.kind {
        case .flag: return
        case .number, .bytes: _ = try number(option.name)
        case .choice: _ = try choice(option.name) { $0 }
        case .text:
            if option.completion != .nothing, WebAddress.isAddress(text) {
                throw UsageError("Option '\(option.name)' takes a file, and \(WebAddress.shown(text)) is an address")
            }
            if text.isEmpty, option.impliedValue == nil {
                throw UsageError("Option '\(option.name)' takes \(option.value ?? "a value"), not an empty text")
            }
        }
    }

    /// The command line as text for a shell, without the options in `names`, with other `options` and `operands`.
    func line(leavingOut names: Set<String> = [], adding options: [String] = [], operands: [String]? = nil) -> String {
        var words = ["tributary", command]
        let operands = (operands ?? self.operands).map(DatabaseName.shown)
        // Operands that look like options must follow `--` at the end of the line.
        let needsSeparator = operands.contains { $0.hasPrefix("-") && $0 != "-" }
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

    /// The only operand, which names a file; `noun` is shown without it.
    func operand(_ noun: String) throws(UsageError) -> String {
        guard operands.count == 1, operands[0] != "-", !WebAddress.isAddress(operands[0]) else {
            throw UsageError("Name one \(noun), which is a file: \(usage)")
        }
        return operands[0]
    }

    /// The first operand, which names a database; others may follow if `others` is true.
    func database(others: Bool = false) throws(UsageError) -> DatabaseName {
        guard let first = operands.first else { throw UsageError("Name the database: \(usage)") }
        if others, let line = DatabaseFirst.line(for: self) {
            throw UsageError("The database is the first word after the command: \(line)")
        }
        if DatabaseFirst.isInput(first) {
            throw UsageError("'\(DatabaseName.shown(first))' is no database: \(usage)")
        }
        guard !first.isEmpty, first != ":memory:" else {
            throw UsageError("The database is a file; '\(first)' is none: \(usage)")
        }
        guard others || operands.count == 1 else { throw UsageError("Name one database: \(usage)") }
        return try DatabaseName(first)
    }

    /// The operands after the database.
    var others: [String] { Array(operands.dropFirst()) }

    /// The form of the command line.
    var usage: String { "tributary \(command) \(spec.operands.replacing("[OPTIONS] ", with: ""))" }

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
