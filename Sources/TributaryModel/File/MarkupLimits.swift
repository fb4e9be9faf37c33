/// The limits of the reader of model files, far above the size of real models.
enum MarkupLimits {
    /// The size of a file in bytes.
    static let bytes = 32 << 20
    /// The depth of nested elements.
    static let depth = 64
    /// The number of elements in a file.
    static let elements = 500_000
}
