public import TributaryGraph
public import TributaryJSON

/// Which records of the sources become objects of which entity, and how.
public struct ImportRoute: Sendable {
    /// What is done with a record.
    enum Kind: Sendable {
        /// Its values go into the columns that the model names.
        case rows
        /// Its values go into columns that are inferred.
        case inferred
        /// A setter sets an object.
        case objects(ImportSetter)
    }

    /// The entity.
    public let entityName: String
    /// Where its records are; nil if that is detected, which is for one route only.
    public internal(set) var path: RecordPath?
    /// What tells one object from another; nil for the entity's uniqueness constraint.
    public let key: ImportKey?
    let kind: Kind
    /// Whether each record makes an object, whatever its key is.
    let isKeyless: Bool

    /// The attributes of the entity take the values of the JSON key of their name, or of the path that their `userInfo`
    /// entry `json` gives.
    ///
    /// Rows are written without objects: what the model says of values holds, while `willSave` and the validation of a
    /// class of your own are not called. Where they must be, use `objects`.
    public static func rows(_ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .rows, isKeyless: false)
    }

    /// Each record makes a new object.
    package static func newRows(_ entityName: String, at path: RecordPath? = nil) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: nil, kind: .rows, isKeyless: true)
    }

    /// Each key of a record is a column, which is added in the transaction of the first row that needs it; without a key each
    /// record makes a new row.
    ///
    /// The columns have no type, so every value stays what it was; nested values stay JSON. A key that cannot be a column (it
    /// differs from another one in case only, is one too many, or belongs to the store) goes into the column `_rest`, as JSON:
    /// one value, which a later record of the same key replaces as a whole. The manager is one of
    /// `ContextManager(inferring:key:at:)`.
    public static func inferred(_ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil) -> ImportRoute
    {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .inferred, isKeyless: key == nil)
    }

    /// A setter sets the attributes of an object to what its record says.
    ///
    ///     .objects(Book.self, at: ".books[]", key: \.isbn) { record, book in book.title = record["title"] }
    ///
    /// The setter may use its record and the attributes of its object, and nothing else: it runs in parallel, on any thread.
    /// If it, or a hook of its object such as `willSave`, uses the store, another object or another context, the import ends
    /// with an error that names the record; take the context as a third argument then.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, Object) throws -> Void
    ) -> ImportRoute {
        objects(type.entityName, at: path, key: key) { record, object in
            // The context makes objects of the entity's class, which is this one or below it.
            try setter(record, unsafeDowncast(object, to: Object.self))
        }
    }

    /// A setter that may use the context: fetch, insert, delete, set relationships.
    ///
    ///     .objects(Book.self, at: ".books[]", key: \.isbn) { record, book, context in
    ///         book.author = try Author.find(\.id, record["author_id"], in: context)
    ///     }
    ///
    /// The setters of the import run one after the other, in feed order, and find everything that came before. A setter does
    /// not save, and does not write through another context.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, Object, ManagedObjectContext) throws -> Void
    ) -> ImportRoute {
        objects(type.entityName, at: path, key: key) { record, object, context in
            // The context makes objects of the entity's class, which is this one or below it.
            try setter(record, unsafeDowncast(object, to: Object.self), context)
        }
    }

    /// A setter for entities without a class; it uses its record and the attributes of its object.
    public static func objects(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, ManagedObject) throws -> Void
    ) -> ImportRoute {
        ImportRoute(
            entityName: entityName, path: path, key: key, kind: .objects(.isolated(setter)), isKeyless: false)
    }

    /// A setter for entities without a class that may use the context.
    public static func objects(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, ManagedObject, ManagedObjectContext) throws -> Void
    ) -> ImportRoute {
        ImportRoute(
            entityName: entityName, path: path, key: key, kind: .objects(.contextual(setter)), isKeyless: false)
    }
}
