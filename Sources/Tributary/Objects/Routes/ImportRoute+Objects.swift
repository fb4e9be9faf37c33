public import TributaryGraph
public import TributaryImport
public import TributaryJSON

extension ImportRoute {
    /// A route whose setter sets the attributes of the object of each record.
    ///
    ///     .objects(Book.self, at: ".books[]", key: \.isbn) { record, book in book.title = record["title"] }
    ///
    /// The setter may use its record and the attributes of its object, and nothing else: it runs in parallel, on any
    /// thread. If the setter, or a hook of its object such as `willSave`, uses the store, another object or another
    /// context, the import ends with an error that names the record; such a setter must take the context as a third
    /// argument.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, Object) throws -> Void
    ) -> ImportRoute {
        objects(type.entityName, at: path, key: key) { record, object in
            // The context makes objects of the entity's class, which is this one or a subclass.
            try setter(record, unsafeDowncast(object, to: Object.self))
        }
    }

    /// A route whose setter may use the context: fetch, insert, delete, set relationships.
    ///
    ///     .objects(Book.self, at: ".books[]", key: \.isbn) { record, book, context in
    ///         book.author = try Author.find(\.id, record["author_id"], in: context)
    ///     }
    ///
    /// The setters of the import run one after the other, in feed order, and see the effects of all earlier records. A
    /// setter must not save, nor write through another context.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, Object, ManagedObjectContext) throws -> Void
    ) -> ImportRoute {
        objects(type.entityName, at: path, key: key) { record, object, context in
            // The context makes objects of the entity's class, which is this one or a subclass.
            try setter(record, unsafeDowncast(object, to: Object.self), context)
        }
    }

    /// A route for entities without a class, whose setter uses its record and the attributes of its object.
    public static func objects(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, ManagedObject) throws -> Void
    ) -> ImportRoute {
        ImportRoute(objects: entityName, at: path, key: key, ImportSetter.isolated(setter))
    }

    /// A route for entities without a class, whose setter may use the context.
    public static func objects(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, ManagedObject, ManagedObjectContext) throws -> Void
    ) -> ImportRoute {
        ImportRoute(objects: entityName, at: path, key: key, ImportSetter.contextual(setter))
    }
}
