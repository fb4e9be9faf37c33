public import TributaryModel

extension JSONText: AttributeValue {
    /// JSON.
    public static var attributeType: AttributeType { .json }
    /// The text, or `null`.
    public static func read(_ row: Row, _ slot: Int) -> JSONText {
        let text = String.read(row, slot)
        return JSONText(trusting: text.isEmpty ? "null" : text)
    }
    /// As it is.
    public func write(_ row: Row, _ slot: Int) { text.write(row, slot) }
    /// Byte by byte.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { text.isEqual(row, slot) }
}
