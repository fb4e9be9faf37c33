/// The path of a key value in a record.
public struct RemoteKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The names of the members, from the record inwards; empty for the record itself.
    public let path: [String]

    /// The path of records that are keys themselves, such as the two in `["a1", "a2"]`.
    public static let `self` = RemoteKey(path: [])

    /// A path of member names, from the record inwards.
    public init(path: [String]) { self.path = path }

    /// A path as member names separated by dots, as in `user.id`; a dot of a name follows a backslash.
    public init(_ path: String) {
        var names = [""]
        var isEscaped = false
        for letter in path {
            if !isEscaped, letter == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, letter == "." {
                names.append("")
            } else {
                if isEscaped, letter != "." { names[names.count - 1].append("\\") }
                names[names.count - 1].append(letter)
            }
            isEscaped = false
        }
        if isEscaped { names[names.count - 1].append("\\") }
        self.init(path: names)
    }

    /// The path as text, from which it can be made again.
    public var text: String { path.map { $0.replacing(".", with: "\\.") }.joined(separator: ".") }

    /// A path as member names separated by dots, as in `user.id`.
    public init(stringLiteral value: String) { self.init(value) }
}
