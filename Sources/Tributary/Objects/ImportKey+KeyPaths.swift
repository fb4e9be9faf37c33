public import TributaryGraph
public import TributaryImport

extension ImportKey: ExpressibleByStringLiteral {
    /// A key of the attribute at a key path such as `\Book.isbn`, and the path of its value in a record.
    public init<Object: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Object, Value>, remote: RemoteKey? = nil
    ) {
        self.init(ImportKey.name(of: path), remote: remote)
    }

    /// A key of several attributes, with their own names as paths: `ImportKey(\Book.isbn, \Book.edition)`.
    public init<Object: ManagedObject>(_ first: PartialKeyPath<Object>, _ rest: PartialKeyPath<Object>...) {
        self.init(([first] + rest).map { ImportKey.name(of: $0) })
    }

    /// A key of one attribute, with its own name as path.
    public init(stringLiteral value: String) { self.init(value) }

    private static func name(of path: AnyKeyPath) -> String {
        let names = KeyPathNames.names(of: path)
        guard names.count == 1 else {
            fatalError("\(path) is a path through another object; a key must be an attribute of the object itself")
        }
        return names[0]
    }
}
