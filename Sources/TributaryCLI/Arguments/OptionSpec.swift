/// The description of an option, which the parser and the help read.
package struct OptionSpec: Sendable {
    /// The values that an option takes.
    package enum Kind: Sendable {
        /// None: a switch.
        case flag
        /// A name, a path, or a text with a form of its own.
        case text
        case number(_ least: Int = 1, _ most: Int = .max)
        /// A number of bytes, as in `16M`.
        case bytes(_ least: Int = 1, _ most: Int = 1 << 50)
        /// One of some words.
        case choice([Choice])
    }

    /// A word that an option takes.
    package struct Choice: Sendable {
        package let word: String
        /// What the help says about it in parentheses.
        package let note: String?
    }

    /// The subject of an option, in the order of the help; its text is a heading there.
    package enum Group: String, Sendable, CaseIterable {
        case reading = "What to read"
        case target = "Where to write"
        case columns = "Which columns"
        case rows = "Which rows"
        case errors = "When something is wrong"
        case pace = "Pace"
        case output = "What to print"
    }

    /// The kinds of databases that an option is for.
    package enum Databases: Sendable {
        case all
        case postgres
        /// SQLite alone, with the reason and what to do for PostgreSQL.
        case sqlite(String)
    }

    /// The names, the main one first: `--limit`, `-n`.
    package let names: [String]
    package let kind: Kind
    /// The name of the value in the help; nil for a switch.
    package let value: String?
    /// The value without the option, or words about it; nil if the help names none.
    package let defaultText: String?
    /// Whether it can be given several times, each time with more names.
    package let isRepeatable: Bool
    /// The value of an option that is given without one; nil if it needs a value.
    package let impliedValue: String?
    package internal(set) var group: Group
    package let databases: Databases
    /// The line of the help.
    package let help: String

    /// How the help lists the choices.
    package enum Listing: Sendable {
        case inOrder
        /// The first one, which is the default, after the others.
        case firstAtEnd
        case notAtAll
    }

    /// An option; its `summary` is the help without choices and default.
    package init(
        _ names: String..., value: String? = nil, as kind: Kind? = nil, isRepeatable: Bool = false,
        implied: String? = nil, group: Group = .output, default defaultText: String? = nil,
        listing: Listing = .inOrder, for databases: Databases = .all, help summary: String
    ) {
        let kind = kind ?? (value == nil ? .flag : .text)
        self.names = names
        self.kind = kind
        self.isRepeatable = isRepeatable
        impliedValue = implied
        self.group = group
        self.defaultText = defaultText
        self.databases = databases
        var help = summary
        switch kind {
        case .flag, .text: self.value = value
        case .number: self.value = "N"
        case .bytes: self.value = "BYTES"
        case .choice(let choices):
            self.value = value
            let listed = listing == .firstAtEnd ? choices.dropFirst() + choices.prefix(1) : choices[...]
            let texts = listed.map { $0.word + ($0.note.map { " (\($0))" } ?? "") }
            if listing != .notAtAll { help += ": \(texts.joined(separator: ", "))" }
        }
        self.help = help + (defaultText.map { " (\($0))" } ?? "")
    }

    /// The option that every command has.
    package static let help = OptionSpec("--help", "-h", help: "Show this help")

    package var name: String { names[0] }
    /// The names, short ones first.
    package var namesByLength: [String] { names.sorted { $0.count == 2 && $1.count > 2 } }

    /// The words that it takes; empty if it takes other values.
    var words: [String] {
        if case .choice(let choices) = kind { choices.map(\.word) } else { [] }
    }

    /// What a shell can offer for the value; a new name of a file or folder belongs here.
    package var completion: Completion {
        switch (kind, value) {
        case (.choice, _): .words(words)
        case (.text, "FILE"), (.text, "MODEL"), (.text, "DIR|FILE|-"): .files
        case (.text, "DIR"): .folders
        default: .nothing
        }
    }

    /// A number of bytes as it is written for an option: `16M`.
    static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20)M" : bytes >= 1 << 10 ? "\(bytes >> 10)K" : "\(bytes)"
    }
}

extension [OptionSpec] {
    /// The options, as members of a group.
    func group(_ group: OptionSpec.Group) -> [OptionSpec] {
        map { option in
            var option = option
            option.group = group
            return option
        }
    }
}

extension OptionSpec.Kind {
    /// Choices with notes about some of them.
    package static func words(_ words: [String], _ notes: [String: String] = [:]) -> OptionSpec.Kind {
        .choice(words.map { OptionSpec.Choice(word: $0, note: notes[$0]) })
    }

    /// The cases of an enumeration with notes about some of them.
    static func cases<Value: CaseIterable & RawRepresentable>(
        of _: Value.Type, _ notes: [String: String] = [:]
    ) -> OptionSpec.Kind where Value.RawValue == String {
        words(Value.allCases.map(\.rawValue), notes)
    }
}
