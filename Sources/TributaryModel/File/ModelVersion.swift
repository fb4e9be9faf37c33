/// One version of a model in a bundle.
public struct ModelVersion: Sendable, Hashable {
    /// The name without the extension.
    public let name: String
    /// The path of the version.
    public let path: String
    /// Whether it is the version that is read by default.
    public let isCurrent: Bool

    /// The description of the model in this version.
    public func read() throws -> ModelDescription { try ModelFile.read(path) }
}
