/// The description of a whole model, before it is checked.
public struct ModelDescription: Sendable, Hashable {
    /// A named set of entities.
    public struct Configuration: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The names of the entities; may be empty.
        public var entities: [String]

        /// A configuration with a name and entities.
        public init(_ name: String, _ entities: [String]) {
            self.name = name
            self.entities = entities
        }
    }

    /// The entities, in order.
    public var entities: [EntityDescription] = []
    /// The configurations, in order.
    public var configurations: [Configuration] = []
    /// The named requests, in order.
    public var fetchTemplates: [FetchTemplate] = []
    /// The names that the author gave this version.
    public var versionIdentifiers: [String] = []
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] = [:]

    /// A model with some entities.
    public init(_ entities: [EntityDescription] = []) { self.entities = entities }
}
