extension TextShape {
    /// The texts of this shape in words.
    package var words: String {
        switch self {
        case .plain: "plain text"
        case .blank: "blank"
        case .integer: "whole numbers"
        case .leadingZeros: "digits with leading zeros"
        case .number: "numbers"
        case .date: "dates"
        case .dateTime: "moments"
        case .uuid: "UUIDs"
        case .hexadecimal: "hexadecimal"
        case .url: "URLs"
        case .email: "e-mail addresses"
        case .ipAddress: "IP addresses"
        case .boolean: "true or false"
        }
    }
}
