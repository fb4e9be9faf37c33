/// Which records of the sources become objects of which entity, and how.
public struct ImportRoute: Sendable {
    /// What is done with a record.
    enum Kind: Sendable {
        /// Its values go into the columns that the model names.
        case rows
        /// Its values go into columns that are found.
        case found
        /// A closure sets an object.
        case objects(@Sendable (Record, ManagedObject) throws -> Void)
    }

    /// The entity.
    public let entityName: String
    /// Where its records are; nil if that is found out, which is for one route only.
    public let path: RecordPath?
    /// What tells one object from another; nil for the entity's uniqueness constraint.
    public let key: ImportKey?
    let kind: Kind
    /// Whether each record makes an object, whatever its key is.
    let isKeyless: Bool

    /// The attributes of the entity take the values of the JSON key of their name, or of the way of keys that their
    /// `userInfo` entry `json` gives.
    ///
    /// Rows are written without objects: what the model says of values holds, while `willSave` and the validation of a
    /// class of your own are not called. Where they must be, take `objects`.
    public static func rows(_ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .rows, isKeyless: false)
    }

    /// Each record makes a new object.
    package static func newRows(_ entityName: String, at path: RecordPath? = nil) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: nil, kind: .rows, isKeyless: true)
    }

    /// The columns are found from the data; without a key each record makes a new row.
    static func found(_ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .found, isKeyless: key == nil)
    }

    /// A closure sets what a record tells.
    ///
    /// Closures are called on several threads, for records of one key one after the other. One that reads or changes more
    /// than the object of its record is called on one thread, in the order of the feed, as soon as that is seen. It may be
    /// called again for a record whose objects were taken back: until that is seen, and where something besides the key must
    /// be unique. So let a closure do nothing but set objects.
    ///
    /// Who looks around finds what came before in the feed. Only a record whose key is there or on its way already may be
    /// taken later than its place: until a closure has been seen to look around, such records wait for one another, those
    /// of a first load until its end.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, Object) throws -> Void
    ) -> ImportRoute {
        ImportRoute(
            entityName: type.entityName, path: path, key: key,
            kind: .objects { record, object in
                // The context makes objects of the entity's class, which is this one or below it.
                try setter(record, unsafeDowncast(object, to: Object.self))
            }, isKeyless: false)
    }

    /// A closure sets what a record tells, for entities without a class.
    public static func objects(
        _ entityName: String, at path: RecordPath? = nil, key: ImportKey? = nil,
        setter: @escaping @Sendable (Record, ManagedObject) throws -> Void
    ) -> ImportRoute {
        ImportRoute(entityName: entityName, path: path, key: key, kind: .objects(setter), isKeyless: false)
    }
}
