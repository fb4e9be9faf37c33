/// Which entities lie in which store.
public struct StorePlacement: Sendable, Hashable {
    /// The configuration of the model that names the entities; nil for all.
    public let configuration: String?
    /// Where the store lies.
    public let location: StoreLocation

    /// The entities of a configuration in a store.
    public init(_ configuration: String?, at location: StoreLocation) {
        self.configuration = configuration
        self.location = location
    }
}
