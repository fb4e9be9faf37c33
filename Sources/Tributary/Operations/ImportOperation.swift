public import TributaryGraph
public import TributaryImport
public import TributaryJSON

/// An import with one route: the records of a source, each with its object.
///
///     let authors = ImportOperation<Author>(
///         into: manager, from: .file("dump.json.gz"), at: ".authors[]", key: \.id, remoteKey: "author_id"
///     ) { record, author in
///         author.name = record["name"]
///     }
///     queue.addOperation(authors)
///
/// A setter with two arguments uses its record and the attributes of its object, and runs in parallel. One that takes
/// the context as a third argument may fetch, insert, delete and set relationships; it runs alone, in feed order.
open class ImportOperation<Object: ManagedObject>: StreamImport, @unchecked Sendable {
    /// An import of the records at `path`; without a setter each inserts an object with its key and nothing else.
    public convenience init<Value: AttributeValue>(
        into manager: ContextManager, from source: any ByteSource, at path: RecordPath? = nil,
        key: KeyPath<Object, Value>, remoteKey: RemoteKey? = nil, options: ImportOptions = ImportOptions(),
        setter: (@Sendable (Record, Object) throws -> Void)? = nil
    ) {
        self.init(
            into: manager, from: [source], at: path, key: ImportKey(key, remote: remoteKey), options: options,
            setter: setter)
    }

    /// An import whose setter may use the context.
    public convenience init<Value: AttributeValue>(
        into manager: ContextManager, from source: any ByteSource, at path: RecordPath? = nil,
        key: KeyPath<Object, Value>, remoteKey: RemoteKey? = nil, options: ImportOptions = ImportOptions(),
        setter: @escaping @Sendable (Record, Object, ManagedObjectContext) throws -> Void
    ) {
        self.init(
            into: manager, from: [source], at: path, key: ImportKey(key, remote: remoteKey), options: options,
            setter: setter)
    }

    /// An import whose key has any number of attributes, from any number of sources.
    public init(
        into manager: ContextManager, from sources: [any ByteSource], at path: RecordPath? = nil, key: ImportKey,
        options: ImportOptions = ImportOptions(), setter: (@Sendable (Record, Object) throws -> Void)? = nil
    ) {
        super.init(
            into: manager, from: sources,
            routes: [.objects(Object.self, at: path, key: key, setter: setter ?? { _, _ in })], options: options)
    }

    /// An import with any number of key attributes and sources, whose setter may use the context.
    public init(
        into manager: ContextManager, from sources: [any ByteSource], at path: RecordPath? = nil, key: ImportKey,
        options: ImportOptions = ImportOptions(),
        setter: @escaping @Sendable (Record, Object, ManagedObjectContext) throws -> Void
    ) {
        super.init(
            into: manager, from: sources, routes: [.objects(Object.self, at: path, key: key, setter: setter)],
            options: options)
    }
}
