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

    mutating func add(_ more: [String]) { lines += more }

    /// Adds a declaration, and a comment for `swift format` if it is longer than a line or has an unusual name.
    mutating func add(declaration: [String], indent: String, isUnusual: Bool = false) {
        let isLong = declaration.contains { !Self.fits($0) && !$0.trimmingBlanks.hasPrefix("///") }
        if isLong || isUnusual {
            add("\(indent)// swift-format-ignore" + (isLong ? "" : ": AlwaysUseLowerCamelCase"))
        }
        add(declaration)
    }

    /// Adds a blank line, unless one is there or a brace was opened.
    mutating func separate() {
        guard let last = lines.last, !last.isEmpty, !last.hasSuffix("{") else { return }
        add()
    }

    mutating func removeLast() { lines.removeLast() }

    /// A statement with the elements of an array, on one line or, if it is too long, on a line each.
    static func list(_ head: String, _ elements: [String], _ tail: String = "]", indent: String) -> [String] {
        let line = "\(indent)\(head)\(elements.joined(separator: ", "))\(tail)"
        guard !fits(line), !elements.isEmpty else { return [line] }
        let comma = elements.count > 1 ? "," : ""
        return ["\(indent)\(head)"] + elements.map { "\(indent)    \($0)\(comma)" } + ["\(indent)\(tail)"]
    }
}
