/// A whole model as it was written, before anybody has looked whether it is right.
public struct ModelDescription: Sendable, Hashable {
    /// A part of the entities, under a name.
    public struct Configuration: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The entities; there may be none.
        public var entities: [String]

        /// A configuration.
        public init(_ name: String, _ entities: [String]) {
            self.name = name
            self.entities = entities
        }
    }

    /// The entities, in order.
    public var entities: [EntityDescription] = []
    /// The configurations, in order.
    public var configurations: [Configuration] = []
    /// Requests kept under a name, in order.
    public var fetchTemplates: [FetchTemplate] = []
    /// What the author calls this version.
    public var versionIdentifiers: [String] = []
    /// Whatever the author wants to keep with it.
    public var userInfo: [String: String] = [:]

    /// A model without entities.
    public init(_ entities: [EntityDescription] = []) { self.entities = entities }
}
