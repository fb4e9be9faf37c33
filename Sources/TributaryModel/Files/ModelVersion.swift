/// One version of a model in a bundle.
public struct ModelVersion: Sendable, Hashable {
    /// The name without the extension.
    public let name: String
    /// Where it lies.
    public let path: String
    /// Whether it is the version that is read unless another one is asked for.
    public let isCurrent: Bool

    /// What the version states.
    public func read() throws -> ModelDescription {
        try ModelFolder.kind(of: "\(path)/contents") == .file ? ModelFile.readModel(path) : ModelFile.read(path)
    }
}
