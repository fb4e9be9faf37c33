public import Foundation

/// Identifies an object in any context, and may be passed between queues in place of the object.
///
/// An unsaved object has a temporary ID, which is equal only to itself and does not change into the permanent ID; read
/// `objectID` again after the save.
public struct ObjectID: Sendable {
    /// The stores of the object, which retain the model and distinguish objects of different databases.
    let stores: ObjectStores
    /// The entity of the object.
    public let entity: Entity
    let key: Int64

    init(_ stores: ObjectStores, _ entity: Entity, _ key: Int64) {
        self.stores = stores
        self.entity = entity
        self.key = key
    }

    /// Whether the object had no row in a store when the ID was read.
    public var isTemporary: Bool { key < 0 }

    /// The ID as a URI that identifies the object in other processes as well: `tributary://STORE/Book/p12`.
    ///
    /// The URI of a temporary ID, `tributary:///Book/t12`, identifies no object.
    public var uri: URL {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let name = entity.name.addingPercentEncoding(withAllowedCharacters: allowed) ?? entity.name
        let text =
            isTemporary ? "tributary:///\(name)/t\(-key)" : "tributary://\(stores.store(of: entity).id)/\(name)/p\(key)"
        guard let url = URL(string: text) else { fatalError("internal error: \(text) is not a URL") }
        return url
    }
}

extension ObjectID: Hashable {
    /// Whether both identify the same object, even if one has a superentity of the other's entity.
    public static func == (one: ObjectID, other: ObjectID) -> Bool {
        one.key == other.key && one.stores === other.stores && one.entity.root == other.entity.root
    }

    /// Hashes the key and the root entity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(entity.root)
    }
}

extension ObjectID: CustomStringConvertible {
    /// The entity and the key: `Book/p12`.
    public var description: String { "\(entity.name)/\(isTemporary ? "t" : "p")\(key.magnitude)" }
}

extension ObjectID: FilterStoredObject {
    package var storedEntity: Entity { entity }
    package var storedKey: Int64? { isTemporary ? nil : key }
}

extension ObjectStores {
    /// The ID of a URI; nil if the URI has no valid ID, or an ID of another store.
    func objectID(forURI uri: URL) -> ObjectID? {
        let parts = uri.path(percentEncoded: false).split(separator: "/")
        guard uri.scheme == "tributary", parts.count == 2, let entity = model[String(parts[0])], parts[1].first == "p",
            let key = Int64(parts[1].dropFirst()), key > 0, storeIndex(of: entity) != nil,
            uri.host()?.uppercased() == store(of: entity).id.uuidString
        else { return nil }
        return ObjectID(self, entity, key)
    }
}

extension ObjectID: CustomReflectable {
    /// Without children: `dump` would list the whole store.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
