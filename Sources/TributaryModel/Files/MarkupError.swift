/// Why XML could not be read on, and where.
struct MarkupError: Error {
    let message: String
    /// The offset in bytes.
    let offset: Int
}
