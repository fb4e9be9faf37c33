/// The text of a filter with its interpolated values.
struct FilterSource: Sendable {
    /// A character, or an interpolated operand or key.
    enum Unit: Sendable {
        case scalar(Unicode.Scalar)
        case operand(FilterOperand)
        case key(String)
    }

    var units: [Unit]
    /// Whether `%@` and similar placeholders are replaced by arguments.
    let isFormat: Bool

    init(_ text: String = "", isFormat: Bool = false) {
        units = text.unicodeScalars.map(Unit.scalar)
        self.isFormat = isFormat
    }

    /// The character at `index`; nil for an interpolated value, and after the end.
    func scalar(at index: Int) -> Unicode.Scalar? {
        guard units.indices.contains(index), case .scalar(let scalar) = units[index] else { return nil }
        return scalar
    }

    func position(of offset: Int) -> FilterPosition {
        var line = 1
        var start = 0
        for (index, unit) in units.prefix(offset).enumerated() {
            if case .scalar("\n") = unit {
                line += 1
                start = index + 1
            }
        }
        return FilterPosition(offset: offset, line: line, column: offset - start + 1)
    }

    /// The text between two offsets for a message: at most 40 characters, with control characters escaped.
    func text(from start: Int, to end: Int) -> String {
        var text = ""
        for unit in units[start..<min(end, start + 40)] {
            switch unit {
            case .scalar(let scalar): text += scalar.shown
            case .operand: text += "a value"
            case .key: text += "a key"
            }
        }
        return end - start > 40 ? text + "…" : text
    }
}

extension Unicode.Scalar {
    /// The character for a message; control characters are escaped.
    var shown: String { properties.generalCategory == .control ? escaped : String(self) }

    private var escaped: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
