import Foundation
import TributaryJSON

/// A value that is neither null nor an array or object.
public struct ColumnValue: Sendable, Hashable, Codable {
    /// The type of a value.
    public enum Kind: String, Sendable, Codable {
        /// Text.
        case text
        /// A number.
        case number
        /// `true` or `false`.
        case boolean
    }

    /// The type.
    public let kind: Kind
    /// The text, or the number or truth value as JSON writes it.
    public let text: String

    /// A value of a type.
    public init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    /// The value that a person has written: that of a scalar of JSON, or else the text itself; nil for `null`.
    public init?(written text: String) {
        switch text {
        case "null": return nil
        case "true", "false": self.init(.boolean, text)
        default:
            if NumberLiteral(text) != nil {
                self.init(.number, text)
            } else if text.hasPrefix("\""),
                let inner = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
                    as? String
            {
                self.init(.text, inner)
            } else {
                self.init(.text, text)
            }
        }
    }
}
