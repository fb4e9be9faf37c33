/// The text of a filter with what is interpolated in it.
struct FilterSource: Sendable {
    /// A character, or what stands in place of one.
    enum Unit: Sendable {
        case scalar(Unicode.Scalar)
        case operand(FilterOperand)
        case key(String)
    }

    var units: [Unit] = []
    /// Whether `%@` and its kin stand for arguments.
    var isFormat = false

    /// The character at `index`, if one stands there.
    func scalar(at index: Int) -> Unicode.Scalar? {
        guard units.indices.contains(index), case .scalar(let scalar) = units[index] else { return nil }
        return scalar
    }

    /// Line and column of `offset`.
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

    /// What stands between two offsets, for a message: at most 40 characters, controls escaped.
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
    /// The character as it can be shown: controls are escaped.
    var shown: String { properties.generalCategory == .control ? escaped : String(self) }

    private var escaped: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
