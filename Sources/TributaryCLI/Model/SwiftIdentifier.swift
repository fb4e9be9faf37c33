/// Names in Swift, made from the names of a model.
enum SwiftIdentifier {
    /// The name of a property: `firstName` for "first name"; a valid name is not changed.
    static func property(_ name: String) -> String { make(name, fallback: "value") { lowered($0) } }

    /// The name of a function: `library` for "Library" and `urlList` for "URLList".
    static func function(_ name: String) -> String {
        let name = property(name)
        let capitals = name.prefix { $0.isUppercase }.count
        let end = capitals > 1 && capitals < name.count ? capitals - 1 : capitals
        return name.prefix(end).lowercased() + name.dropFirst(end)
    }

    /// The name of a class, which begins with a capital letter.
    static func type(_ name: String) -> String { raised(make(name, fallback: "Entity") { raised($0) }) }

    /// The name in source code, in backticks if it is a word of the language.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Whether the style of the language wants another name for a property.
    static func isUnusual(_ name: String) -> Bool { name.contains("_") || name.first?.isUppercase == true }

    private static func make(_ name: String, fallback: String, _ first: (String) -> String) -> String {
        if isValid(name) { return name }
        let pieces = name.unicodeScalars.split { !isPart($0) }.map { String(String.UnicodeScalarView($0)) }
        let words = pieces.map { String($0.drop { $0 == "_" }) }.filter { !$0.isEmpty }
        guard let start = words.first else { return fallback }
        let joined = first(start) + words.dropFirst().map(raised).joined()
        return isValid(joined) ? joined : fallback + joined
    }

    /// Whether a name can be written as it is; an underscore at the start is left to property wrappers.
    private static func isValid(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first != "_", !("0"..."9").contains(first) else { return false }
        // A mark would join the character in front of the name.
        return name.unicodeScalars.allSatisfy(isPart) && first.properties.isXIDStart
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDContinue && scalar.value < 0xFFFF
    }

    private static func raised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func lowered(_ word: String) -> String { word.prefix(1).lowercased() + word.dropFirst() }

    private static let keywords: Set<String> = [
        "Any", "Self", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
        "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where",
        "while",
    ]
}
