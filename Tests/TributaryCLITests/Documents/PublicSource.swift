import Foundation
import TributaryTestSupport

/// The public declarations of a file, as its lines tell them.
struct PublicSource {
    /// A public declaration, or a case or requirement of a public type.
    struct Declaration {
        let line: Int
        let text: String
        let isDocumented: Bool
    }

    /// The path in the package.
    let path: String
    private(set) var declarations: [Declaration] = []
    /// The public types that are not inside of others.
    private(set) var types: [String] = []

    private static let attributes = #"(?:@\w+(?:\([^)]*\))? )*"#
    private static let modifiers =
        #"(?:(?:static|final|class|indirect|override|required|convenience|nonisolated|mutating|weak|lazy|prefix|"#
        + #"(?:internal|package|private)\(set\)) )*"#

    init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOf: Tool.package.appending(path: path), encoding: .utf8)
        let isPublic = try Regex("^\(Self.attributes)\(Self.modifiers)(?:public|open) (?!import|extension|=|\\+=)")
        // Types whose members need no word of their own to be public, by the depth of their braces.
        var open: [(depth: Int, isProtocol: Bool)] = []
        var (depth, isDocumented, isText) = (0, false, false)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("///") {
                isDocumented = true
                continue
            }
            let code = Self.code(words, &isText)
            let isMember =
                open.last.map { $0.depth == depth - 1 && Self.isMember(code, ofProtocol: $0.isProtocol) } ?? false
            let isDeclaration =
                (words.contains("public ") || words.contains("open ")) && words.firstMatch(of: isPublic) != nil
            if isDeclaration || isMember {
                declarations.append(Declaration(line: index + 1, text: words, isDocumented: isDocumented))
                if let type = code.firstMatch(of: /\b(?:struct|class|enum|protocol) ([A-Z]\w*)/)?.output.1, !isMember {
                    if depth == 0 { types.append(String(type)) }
                    let isProtocol = code.contains("protocol \(type)")
                    if isProtocol || code.contains("enum \(type)") { open.append((depth, isProtocol)) }
                }
            }
            // An attribute on a line of its own belongs to the declaration after it, as a condition does.
            if !words.hasPrefix("#"), !words.hasPrefix("@") || isDeclaration {
                isDocumented = false
            }
            for byte in code.utf8 { depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0 }
            while let last = open.last, depth <= last.depth { open.removeLast() }
        }
    }

    /// Whether a line without a word for its access declares a public member: a case, or a requirement.
    private static func isMember(_ code: String, ofProtocol isProtocol: Bool) -> Bool {
        guard isProtocol else { return code.hasPrefix("case ") }
        return code.firstMatch(of: /^(?:static |mutating )*(?:var|func|init|subscript|associatedtype)\b/) != nil
    }

    /// The names of its public declarations.
    var names: [Substring] {
        let keywords: Set<Substring> = [
            "func", "var", "let", "class", "struct", "enum", "protocol", "case", "typealias", "associatedtype",
        ]
        return declarations.flatMap { declaration in
            let words = declaration.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            return zip(words, words.dropFirst()).compactMap { keywords.contains($0) ? $1 : $0 == "init" ? $0 : nil }
        }
    }

    /// The line without comments and the contents of texts.
    private static func code(_ line: String, _ isText: inout Bool) -> String {
        var line = line
        while let range = line.range(of: "\"\"\"") {
            line = isText ? String(line[range.upperBound...]) : String(line[..<range.lowerBound])
            isText.toggle()
            if isText { return line }
        }
        if isText { return "" }
        guard line.contains("\"") || line.contains("//") else { return line }
        line = line.replacing(/\\[\\"]/, with: "").replacing(/"[^"]*"/, with: "\"\"")
        if let comment = line.range(of: "//") { line = String(line[..<comment.lowerBound]) }
        return line
    }
}
