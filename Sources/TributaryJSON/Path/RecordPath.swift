/// The path of the records in a source.
///
///     []            each element of the top-level array
///     {}            each member of the top-level object; its key becomes a field of the record
///     .a.b[]        each element of the array at a.b
///     .rows[].doc   the member doc of each element
///     .users{}      each member of the object at users
///     .["a.b"][]    a key that is not a plain name
///     .a[0]         the first element
///     .             the whole text, one record
///     /a/b          a JSON Pointer: each element of an array there, else the value itself
public struct RecordPath: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    enum Component: Sendable, Hashable {
        case key(String)
        case index(Int)
        /// Each element of an array.
        case elements
        /// Each member of an object.
        case members
        /// A token of a JSON Pointer: a key in an object, an index in an array.
        case token(String)
    }

    let components: [Component]
    /// Whether an array at the path contains the records, as with a JSON Pointer.
    let spreadsArrays: Bool

    /// The whole text, one record.
    public static let root = RecordPath(components: [])
    /// Each element of the top-level array.
    public static let elements = RecordPath(components: [.elements])
    /// Each member of the top-level object.
    public static let members = RecordPath(components: [.members])
    /// A path that no text has.
    static let unmatchable = RecordPath(components: [.key("\0 unmatchable")])

    init(components: [Component], spreadsArrays: Bool = false) {
        self.components = components
        self.spreadsArrays = spreadsArrays
    }

    /// Each element of the array at a member of the top-level object.
    package static func elements(of member: String) -> RecordPath {
        RecordPath(components: [.key(member), .elements])
    }

    /// The steps as text: `[]`, `{}`, or a dot and a key.
    package var stepTexts: [String] {
        components.map { component in
            switch component {
            case .key(let key), .token(let key): ".\(key)"
            case .index, .elements: "[]"
            case .members: "{}"
            }
        }
    }

    /// Reads a path.
    ///
    /// - Throws: a `JSONError` with the code `shape.path` that names the invalid character.
    public init(_ text: String) throws {
        if text.utf8.first == UInt8(ascii: "/") {
            self = try RecordPath(pointer: text)
        } else {
            var parser = Parser(text)
            self.init(components: try parser.components())
        }
    }

    /// A path in the source code; an invalid one stops the program.
    public init(stringLiteral value: String) {
        do {
            try self.init(value)
        } catch {
            fatalError("\(error)")
        }
    }

    private init(pointer text: String) throws {
        components = try text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            var token = String.UnicodeScalarView()
            var rest = $0
            while let scalar = rest.popFirst() {
                guard scalar == "~" else {
                    token.append(scalar)
                    continue
                }
                switch rest.popFirst() {
                case "0": token.append("~")
                case "1": token.append("/")
                default: throw JSONError(.shapePath, "the JSON Pointer \(text) has a ~ that is neither ~0 nor ~1")
                }
            }
            return .token(String(token))
        }
        spreadsArrays = true
    }

    /// The path in the syntax that `init(_:)` parses.
    public var description: String {
        if spreadsArrays {
            return components.reduce(into: "") { text, component in
                if case .token(let token) = component { text += "/" + token.escaping(["~": "~0", "/": "~1"]) }
            }
        }
        let text = components.reduce(into: "") { text, component in
            switch component {
            case .key(let key), .token(let key):
                let escaped = key.escaping(["\\": "\\\\", "\"": "\\\""])
                text += key.isPlainName ? ".\(key)" : ".[\"\(escaped)\"]"
            case .index(let index): text += "[\(index)]"
            case .elements: text += "[]"
            case .members: text += "{}"
            }
        }
        return text.isEmpty ? "." : text
    }

    /// Whether the path leads to one member, not to the elements or members of a value.
    package var leadsToMember: Bool { if case .key = components.last { true } else { false } }

    /// The names of all members of the path.
    package var members: [String] {
        components.compactMap { component in
            switch component {
            case .key(let name), .token(let name): name
            default: nil
            }
        }
    }

    /// The name of the innermost member on the path, as in `users` of `.data.users[]`; nil if it has none.
    package var memberName: String? {
        for component in components.reversed() {
            switch component {
            case .key(let name): return name
            case .token(let token) where Int(token) == nil: return token
            case .index, .elements, .members, .token: continue
            }
        }
        return nil
    }
}

extension String {
    /// The text with some scalars escaped, even where a scalar forms one character with the next one.
    fileprivate func escaping(_ escapes: [Unicode.Scalar: String]) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if let escape = escapes[scalar] { text += escape.unicodeScalars } else { text.append(scalar) }
        }
        return String(text)
    }
}

extension RecordPath {
    /// Parses the jq-like syntax by scalars, because a scalar may form one character with the next one.
    private struct Parser {
        let text: String
        var rest: Substring.UnicodeScalarView

        init(_ text: String) {
            self.text = text
            rest = text[...].unicodeScalars
        }

        mutating func components() throws -> [Component] {
            var components: [Component] = []
            if text == "." { return [] }
            while let first = rest.first {
                switch first {
                case ".":
                    rest.removeFirst()
                    if rest.first == "[" || rest.first == "{" { continue }
                    components.append(.key(rest.first == "\"" ? try quotedName() : try plainName()))
                case "[":
                    rest.removeFirst()
                    components.append(try bracket())
                case "{":
                    rest.removeFirst()
                    try expect("}")
                    components.append(.members)
                default: throw failure("expected . or [ or {")
                }
            }
            return components
        }

        private mutating func bracket() throws -> Component {
            if rest.first == "]" {
                rest.removeFirst()
                return .elements
            }
            if rest.first == "\"" {
                let name = try quotedName()
                try expect("]")
                return .key(name)
            }
            let digits = rest.prefix { ("0"..."9").contains($0) }
            guard !digits.isEmpty, let index = Int(String(digits)) else {
                throw failure("expected ], an index or a key in quotes")
            }
            rest.removeFirst(digits.count)
            try expect("]")
            return .index(index)
        }

        private mutating func plainName() throws -> String {
            let name = rest.prefix { !".[]{}\"".unicodeScalars.contains($0) }
            guard !name.isEmpty else { throw failure("expected a key") }
            rest.removeFirst(name.count)
            return String(name)
        }

        private mutating func quotedName() throws -> String {
            rest.removeFirst()
            var name = String.UnicodeScalarView()
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\"": return String(name)
                case "\\":
                    guard let escaped = rest.popFirst() else { break }
                    name.append(escaped)
                default: name.append(scalar)
                }
            }
            throw failure("expected a closing quote")
        }

        private mutating func expect(_ scalar: Unicode.Scalar) throws {
            guard rest.first == scalar else { throw failure("expected \(scalar)") }
            rest.removeFirst()
        }

        private func failure(_ what: String) -> JSONError {
            let scalars = text.unicodeScalars
            let column = scalars.distance(from: scalars.startIndex, to: rest.startIndex) + 1
            return JSONError(
                .shapePath, "the path \(Excerpt.escape(text)) cannot be read at character \(column): \(what)",
                hint: "write it as [] or .items[] or .users{} or /items")
        }
    }
}
