/// The limits of the reader of model files, far above the size of real models.
struct MarkupLimits {
    /// The size of a file in bytes.
    var bytes = 32 << 20
    /// The depth of nested elements.
    var depth = 64
    /// The number of elements in a file.
    var elements = 500_000
}
