/// What a reader of model files takes: far more than any model needs, far less than would hurt.
struct MarkupLimits {
    /// The bytes of a file.
    var bytes = 32 << 20
    /// Elements inside one another.
    var depth = 64
    /// All elements.
    var elements = 500_000
}
