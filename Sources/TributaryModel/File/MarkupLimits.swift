/// The limits of the reader of model files, far above the size of real models.
enum MarkupLimits {
    static let bytes = 32 << 20
    static let depth = 64
    static let elements = 500_000
}
