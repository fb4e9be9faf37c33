public import Foundation

/// Which object is meant, in any context: what may be passed between queues in place of the object.
///
/// An object that has not been saved has a temporary id, which is equal to nothing but itself and never becomes the
/// permanent one; ask the object again after the save.
public struct ObjectID: Sendable {
    /// What keeps the model, and tells objects of different databases apart.
    let stores: StoreSet
    /// What the object is.
    public let entity: Entity
    let key: Int64

    init(_ stores: StoreSet, _ entity: Entity, _ key: Int64) {
        self.stores = stores
        self.entity = entity
        self.key = key
    }

    /// Whether the object had no row in a store when the id was asked for.
    public var isTemporary: Bool { key < 0 }

    /// The id as text that finds the object again, also in another process: `tributary://STORE/Book/p12`.
    ///
    /// The form of a temporary id, `tributary:///Book/t12`, finds nothing.
    public var uri: URL {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let name = entity.name.addingPercentEncoding(withAllowedCharacters: allowed) ?? entity.name
        let text =
            isTemporary ? "tributary:///\(name)/t\(-key)" : "tributary://\(stores.storeID(of: entity))/\(name)/p\(key)"
        guard let url = URL(string: text) else { fatalError("\(text) is no URL") }
        return url
    }
}

extension ObjectID: Hashable {
    /// Whether both mean the same object, whatever entity each was asked by.
    public static func == (one: ObjectID, other: ObjectID) -> Bool {
        one.key == other.key && one.stores === other.stores && one.entity.root == other.entity.root
    }

    /// Feeds what is compared to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(entity.root)
    }
}

extension ObjectID: CustomStringConvertible {
    /// As `Book/p12`.
    public var description: String { "\(entity.name)/\(isTemporary ? "t" : "p")\(key.magnitude)" }
}

extension ObjectID: FilterStoredObject {
    package var storedEntity: Entity { entity }
    package var storedKey: Int64? { isTemporary ? nil : key }
}

extension StoreSet {
    /// The id that a URI means; nil if it is none, or of another store.
    func objectID(forURI uri: URL) -> ObjectID? {
        let parts = uri.path(percentEncoded: false).split(separator: "/")
        guard uri.scheme == "tributary", parts.count == 2, let entity = model[String(parts[0])], parts[1].first == "p",
            let key = Int64(parts[1].dropFirst()), key > 0, storeIndex(of: entity) != nil,
            uri.host()?.uppercased() == storeID(of: entity).uuidString
        else { return nil }
        return ObjectID(self, entity, key)
    }
}
