public import TributaryGraph

extension ImportKey: ExpressibleByStringLiteral {
    /// The attribute of a path of properties, as `\Book.isbn`, and where its value stands.
    public init<Object: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Object, Value>, remote: RemoteKey? = nil
    ) {
        self.init(ImportKey.name(of: path), remote: remote)
    }

    /// Several attributes, each under its own name: `ImportKey(\Book.isbn, \Book.edition)`.
    public init<Object: ManagedObject>(_ first: PartialKeyPath<Object>, _ rest: PartialKeyPath<Object>...) {
        self.init(([first] + rest).map { ImportKey.name(of: $0) })
    }

    /// One attribute, under its own name.
    public init(stringLiteral value: String) { self.init(value) }

    private static func name(of path: AnyKeyPath) -> String {
        let names = KeyPathNames.names(of: path)
        guard names.count == 1 else {
            fatalError("\(path) leads to another object; a key is an attribute of the object itself")
        }
        return names[0]
    }
}
