public import TributaryGraph
public import TributaryJSON

/// An import with one route: the records of a source, each with its object.
///
///     let authors = ImportOperation<Author>(
///         into: manager, from: .file("dump.json.gz"), at: ".authors[]", key: \.id, remoteKey: "author_id"
///     ) { record, author in
///         author.name = record["name"]
///     }
///     queue.addOperation(authors)
open class ImportOperation<Object: ManagedObject>: StreamImport, @unchecked Sendable {
    /// An import of the records at `path`; without a setter each makes an object that has its key and nothing else.
    public init<Value: AttributeValue>(
        into manager: ContextManager, from source: any ByteSource, at path: RecordPath? = nil,
        key: KeyPath<Object, Value>, remoteKey: RemoteKey? = nil, options: ImportOptions = ImportOptions(),
        setter: (@Sendable (Record, Object) throws -> Void)? = nil
    ) {
        super.init(into: manager, from: [source], options: options)
        add(.objects(Object.self, at: path, key: ImportKey(key, remote: remoteKey), setter: setter ?? { _, _ in }))
    }

    /// An import whose key has any number of attributes, from any number of sources.
    public init(
        into manager: ContextManager, from sources: [any ByteSource], at path: RecordPath? = nil, key: ImportKey,
        options: ImportOptions = ImportOptions(), setter: (@Sendable (Record, Object) throws -> Void)? = nil
    ) {
        super.init(into: manager, from: sources, options: options)
        add(.objects(Object.self, at: path, key: key, setter: setter ?? { _, _ in }))
    }
}
