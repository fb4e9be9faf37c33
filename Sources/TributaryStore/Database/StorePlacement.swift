/// A store, and the configuration with its entities.
public struct StorePlacement: Sendable, Hashable {
    /// The configuration of the model that names the entities; nil for all.
    public let configuration: String?
    /// The location of the store.
    public let location: StoreLocation

    /// Places the entities of a configuration in a store.
    public init(_ configuration: String?, at location: StoreLocation) {
        self.configuration = configuration
        self.location = location
    }
}
