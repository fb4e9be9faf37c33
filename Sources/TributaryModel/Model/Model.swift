internal import Synchronization

/// A model that has been checked and resolved; it never changes.
///
/// Entities do not retain their model. A context manager retains it for its contexts; other code must keep a reference.
///
/// ```swift
/// var book = EntityDescription("Book")
/// book.attributes = [AttributeDescription("title", .string)]
/// let model = try Model(ModelDescription([book]))
/// model["Book"]?.attribute(named: "title")?.slot  // 0
/// ```
public final class Model: Sendable {
    /// The description that the model was made from.
    public let declaration: ModelDescription
    /// The fetch templates by name.
    public let fetchTemplates: [String: FetchTemplate]
    /// The classes of objects that declared it, if any.
    package let classes: [AnyObject.Type]
    private let configured: [String: [String]]
    /// Set once at the end of `init`: entities refer to their model, so they cannot be created before it.
    private let resolved = AtomicLazyReference<EntityTable>()
    private static let none = EntityTable([])

    /// Checks and resolves a description.
    ///
    /// - Throws: `ModelError` with all faults.
    public convenience init(_ declaration: ModelDescription) throws { try self.init(declaration, classes: []) }

    package init(_ declaration: ModelDescription, classes: [AnyObject.Type]) throws {
        var check = ModelCheck(declaration)
        check.run()
        guard check.faults.isEmpty else { throw ModelError(check.faults) }
        self.declaration = declaration
        self.classes = classes
        fetchTemplates = Dictionary(declaration.fetchTemplates.map { ($0.name, $0) }) { first, _ in first }
        configured = Dictionary(declaration.configurations.map { ($0.name, $0.entities) }) { first, _ in first }
        _ = resolved.storeIfNil(EntityTable(ModelBuilder(check: check, model: self).entities()))
    }

    private var table: EntityTable { resolved.load() ?? Self.none }

    /// The entities, in the order of the model.
    public var entities: [Entity] { table.entities }

    /// The entity with a name.
    public subscript(name: String) -> Entity? { table.byName[name] }

    /// The names of the configurations, in the order of the model.
    public var configurations: [String] { declaration.configurations.map(\.name) }

    /// The entities without a parent.
    public var rootEntities: [Entity] { entities.filter { $0.parent == nil } }

    /// The entities of a configuration, or all entities for nil; nil if there is no such configuration.
    public func entities(in configuration: String?) -> [Entity]? {
        guard let configuration else { return entities }
        return configured[configuration]?.compactMap { self[$0] }
    }

    /// The version hashes by entity name, of a configuration or of all entities; nil for an unknown configuration.
    public func versionHashes(in configuration: String? = nil) -> [String: VersionHash]? {
        entities(in: configuration).map { entities in
            Dictionary(entities.map { ($0.name, $0.versionHash) }) { first, _ in first }
        }
    }
}

/// The entities of a model, by index and by name.
private final class EntityTable: Sendable {
    package let entities: [Entity]
    let byName: [String: Entity]

    init(_ entities: [Entity]) {
        self.entities = entities
        byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    }
}
