public import TributaryModel

/// A value of JSON as an attribute, stored as its text.
extension JSONText: AttributeValue {
    /// JSON.
    public static var attributeType: AttributeType { .json }
    /// The JSON, or `null` if the slot is null.
    public static func read(_ row: Row, _ slot: Int) -> JSONText {
        let text = String.read(row, slot)
        return JSONText(trusting: text.isEmpty ? "null" : text)
    }
    /// Stores the text unchanged.
    public func write(_ row: Row, _ slot: Int) { text.write(row, slot) }
    /// Compares bytes.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { text.isEqual(row, slot) }
}
