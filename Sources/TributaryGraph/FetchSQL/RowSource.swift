import TributarySQLite

/// A row to be read: the one at which a statement stands, or one that a thread has taken out of it.
protocol RowSource {
    /// How the value is kept.
    func storage(at index: Int) -> SQLStorage
    /// The value as a whole number.
    func integer(at index: Int) -> Int64
    /// The value as text.
    func text(at index: Int) -> String
    /// The value; its text or bytes stay until the next row.
    func cell(at index: Int) -> SQLCell
    /// Whether the bytes of the value as text are `bytes`.
    func holds(_ bytes: [UInt8], at index: Int) -> Bool
}

extension Statement: RowSource {
    func holds(_ bytes: [UInt8], at index: Int) -> Bool { withText(at: index) { $0.elementsEqual(bytes) } }
}
