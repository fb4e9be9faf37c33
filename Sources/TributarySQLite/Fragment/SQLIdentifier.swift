/// The name of a table, a column or an index, which knows how to quote it.
public struct SQLIdentifier: Sendable, Hashable {
    /// The name without quotes.
    public let name: String

    /// A name with any characters; U+0000 cannot be part of one.
    public init(_ name: String) {
        precondition(!name.utf8.contains(0), "a name in SQL cannot contain U+0000")
        self.name = name
    }

    /// The name in double quotes, with inner quotes doubled.
    public var quoted: String {
        var text = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
