import TributaryModel
/// Lines of Swift source code, laid out as `swift format` does with lines of 120 columns.
struct SwiftLines {
    /// Whether a line is not too long.
    ///
    /// `swift format` counts units of UTF-16, and some commas that it might add.
    static func fits(_ line: String) -> Bool { line.utf16.count <= 116 }

    private(set) var lines: [String] = []

    /// The text with a line feed at the end.
    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func add(_ line: String = "") { lines.append(line) }

    /// Adds a declaration, and a comment for `swift format` if it is longer than a line or has an unusual name.
    mutating func add(declaration: [String], isUnusual: Bool = false) {
        let isLong = declaration.contains { !Self.fits($0) && !$0.trimmingBlanks.hasPrefix("///") }
        if isLong || isUnusual {
            add("    // swift-format-ignore" + (isLong ? "" : ": AlwaysUseLowerCamelCase"))
        }
        lines += declaration
    }

    /// Adds a blank line, unless one is there or a brace was opened.
    mutating func separate() {
        guard let last = lines.last, !last.isEmpty, !last.hasSuffix("{") else { return }
        add()
    }

    mutating func removeLast() { lines.removeLast() }

    /// A statement with the elements of an array, on one line or, if it is too long, on a line each.
    static func list(_ head: String, _ elements: [String], indent: String) -> [String] {
        let line = "\(indent)\(head)\(elements.joined(separator: ", "))]"
        guard !fits(line), !elements.isEmpty else { return [line] }
        let comma = elements.count > 1 ? "," : ""
        return ["\(indent)\(head)"] + elements.map { "\(indent)    \($0)\(comma)" } + ["\(indent)]"]
    }

    /// A property of a class with its wrapper, whose options are an array if there are more than `positional`.
    static func property(
        _ property: String, wrapper name: String, _ arguments: [String] = [], options: [String], positional: Int,
        needsList: Bool = false
    ) -> [String] {
        let indent = "    "
        let isList = options.count > positional || needsList && !options.isEmpty
        let all = arguments + (isList ? ["[\(options.joined(separator: ", "))]"] : options)
        let wrapper = all.isEmpty ? name : "\(name)(\(all.joined(separator: ", ")))"
        let line = "\(indent)\(wrapper) \(property)"
        if fits(line) { return [line] }
        if fits(indent + wrapper) || options.isEmpty { return ["\(indent)\(wrapper)", "\(indent)\(property)"] }
        let comma = options.count > 1 ? "," : ""
        if arguments.isEmpty {
            return ["\(indent)\(name)(["] + options.map { "\(indent)    \($0)\(comma)" }
                + ["\(indent)])", "\(indent)\(property)"]
        }
        return ["\(indent)\(name)(", "\(indent)    \(arguments.joined(separator: ", ")),", "\(indent)    ["]
            + options.map { "\(indent)        \($0)\(comma)" } + ["\(indent)    ])", "\(indent)\(property)"]
    }
}
