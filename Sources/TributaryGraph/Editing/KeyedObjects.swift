package import TributarySQLite

/// The objects with certain unique keys in a context: fetched at once, and then followed as objects change.
///
/// A key that was fetched is not fetched again: objects that get it later are either passed to `record`, or are among the
/// pending objects of the context, which are read on each lookup. An object stays under a key that it no longer has, and
/// each lookup compares the key that it has now.
package struct KeyedObjects {
    private let key: [AttributeProperty]
    /// The entity among whose objects a key is unique.
    private let scope: Entity
    private var found: [[KeyPart]: [ManagedObject]] = [:]
    private var fetched: Set<[KeyPart]> = []
    private var pendingCount = 0

    /// No objects yet, of `entity` or the ancestor that declares the key.
    package init(_ key: [AttributeProperty], of entity: Entity, in context: ManagedObjectContext) {
        (self.key, scope) = (key, entity.scope(ofKey: key))
        _ = context.pendingObjects(after: &pendingCount)
    }

    init(_ key: [AttributeProperty], of scope: Entity, recording objects: [ManagedObject]) {
        (self.key, self.scope) = (key, scope)
        for object in objects { record(object) }
    }

    /// Fetches the objects of all keys that were not fetched yet, with one SELECT.
    @discardableResult
    package mutating func fetch(_ keys: [[SQLValue]], in context: ManagedObjectContext) throws -> [ManagedObject] {
        readPending(of: context)
        var table = SortedKeys(key, capacity: keys.count)
        var wanted: [[KeyPart]] = []
        for values in keys where fetched.insert(values.compactMap(KeyPart.init)).inserted {
            table.append(values)
            wanted.append(values.compactMap(KeyPart.init))
        }
        guard !wanted.isEmpty else { return [] }
        table.sort()
        let objects = try context.objects(with: table, of: scope)
        for (index, parts) in wanted.enumerated() where table.group[index] >= 0 {
            if let object = objects[Int(table.group[index])] { add(object, parts) }
        }
        return objects.compactMap(\.self)
    }

    /// The object with a key; it is fetched if it is unknown.
    package mutating func object(with values: [SQLValue], in context: ManagedObjectContext) throws -> ManagedObject? {
        readPending(of: context)
        let parts = values.compactMap(KeyPart.init)
        func isPresent(_ object: ManagedObject) -> Bool { object.state.isDisjoint(with: [.deleted, .detached]) }
        if found[parts] != nil {
            if let object = object(with: parts, where: isPresent) { return object }
            // Another object may have the key now.
            found[parts] = nil
            fetched.remove(parts)
        }
        try fetch([values], in: context)
        return object(with: parts, where: isPresent)
    }

    /// The first object that has a key now and passes a test.
    func object(with parts: [KeyPart], where isWanted: (ManagedObject) -> Bool) -> ManagedObject? {
        found[parts]?.first { isWanted($0) && self.parts(of: $0) == parts }
    }

    /// Records the present key of an object.
    package mutating func record(_ object: ManagedObject) {
        if let parts = parts(of: object) { add(object, parts) }
    }

    private mutating func add(_ object: ManagedObject, _ parts: [KeyPart]) {
        if found[parts]?.contains(where: { $0 === object }) ?? false { return }
        found[parts, default: []].append(object)
    }

    private mutating func readPending(of context: ManagedObjectContext) {
        for object in context.pendingObjects(after: &pendingCount) { record(object) }
    }

    /// The present key of an object; nil without one, and for a fault, which has the key of its row.
    private func parts(of object: ManagedObject) -> [KeyPart]? {
        guard !object.state.contains(.detached), !object.accessFlags.contains(.fault),
            object.entity.isKind(of: scope)
        else { return nil }
        let parts = key.compactMap { KeyPart($0, in: object.row) }
        return parts.count == key.count ? parts : nil
    }
}
