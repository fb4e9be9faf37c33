import TributaryModel

/// The part of a filter around the place of an error, with a mark under it.
enum FilterMark {
    /// Two lines: the text, and an arrow under the place.
    static func text(_ filter: String, at position: FilterPosition) -> String {
        let scalars = Array(filter.unicodeScalars)
        let place = min(position.offset, scalars.count)
        let start = max(0, place - 40)
        var line = start > 0 ? "…" : ""
        // A line that is broken or jumps would leave the mark alone.
        for scalar in scalars[start..<min(scalars.count, place + 40)] {
            line.unicodeScalars.append(scalar.properties.isWhitespace ? " " : scalar)
        }
        return line + "\n" + String(repeating: " ", count: place - start + (start > 0 ? 1 : 0)) + "▲"
    }
}
