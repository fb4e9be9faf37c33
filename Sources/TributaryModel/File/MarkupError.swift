/// The reason and the position of an XML syntax error.
struct MarkupError: Error {
    let message: String
    /// The offset in bytes.
    let offset: Int
}
