package import TributarySQLite

/// The objects with certain unique keys in a context: fetched at once, and then followed as objects change.
///
/// A key that was fetched is not fetched again: objects that get it later are either passed to `record`, or are among the
/// pending objects of the context, which are read on each lookup.
package struct KeyedObjects {
    private let key: [AttributeProperty]
    /// The entity among whose objects a key is unique.
    private let scope: Entity
    private var found: [[UInt8]: ManagedObject] = [:]
    private var fetched: Set<[UInt8]> = []
    private var pendingCount = 0

    /// No objects yet, of `entity` or the ancestor that declares the key.
    package init(_ key: [AttributeProperty], of entity: Entity, in context: ManagedObjectContext) {
        (self.key, scope) = (key, entity.scope(ofKey: key))
        _ = context.pendingObjects(after: &pendingCount)
    }

    /// Fetches the objects of all keys that were not fetched yet, with one SELECT.
    ///
    /// - Returns: The objects that were found.
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    @discardableResult
    package mutating func fetch(_ keys: [[SQLValue]], in context: ManagedObjectContext) throws -> [ManagedObject] {
        readPending(of: context)
        var table = SortedKeys(key, capacity: keys.count)
        var wanted: [[UInt8]] = []
        for values in keys where fetched.insert(Self.bytes(values)).inserted {
            if values.count == 1 { table.append(values[0]) } else { table.append(values) }
            wanted.append(Self.bytes(values))
        }
        guard !wanted.isEmpty else { return [] }
        table.sort()
        let objects = try context.objects(with: table, of: scope)
        for (index, bytes) in wanted.enumerated() where table.group[index] >= 0 {
            found[bytes] = objects[Int(table.group[index])]
        }
        return objects.compactMap(\.self)
    }

    /// The object with a key; it is fetched if it is unknown.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    package mutating func object(with values: [SQLValue], in context: ManagedObjectContext) throws -> ManagedObject? {
        readPending(of: context)
        let bytes = Self.bytes(values)
        if let object = found[bytes] {
            if isKey(bytes, of: object) { return object }
            // It was deleted or has another key now, so that another object may have this one.
            found[bytes] = nil
            fetched.remove(bytes)
        }
        try fetch([values], in: context)
        return found[bytes]
    }

    /// Records the present key of an object.
    package mutating func record(_ object: ManagedObject) {
        guard let bytes = keyBytes(of: object) else { return }
        if let known = found[bytes], isKey(bytes, of: known) { return }
        found[bytes] = object
    }

    private mutating func readPending(of context: ManagedObjectContext) {
        for object in context.pendingObjects(after: &pendingCount) { record(object) }
    }

    private func isKey(_ bytes: [UInt8], of object: ManagedObject) -> Bool { keyBytes(of: object) == bytes }

    private func keyBytes(of object: ManagedObject) -> [UInt8]? {
        guard object.state.isDisjoint(with: [.deleted, .detached]), object.entity.isKind(of: scope) else { return nil }
        if object.accessFlags.contains(.fault) { object.fire() }
        guard !object.accessFlags.contains(.fault) else { return nil }
        let values = key.map { KeyColumn.value(of: $0, in: object.row) }
        return values.contains(.null) ? nil : Self.bytes(values)
    }

    /// The values as bytes, because equal strings may be different keys: "é" has two spellings.
    private static func bytes(_ values: [SQLValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ kind: Character, _ content: some Collection<UInt8>) {
            bytes += "\(kind)\(content.count):".utf8
            bytes += content
        }
        for value in values {
            switch value {
            case .null: append("n", [])
            case .integer(let number): append("i", "\(number)".utf8)
            // -0 and 0 are one key.
            case .real(let number): append("r", "\(number + 0)".utf8)
            case .text(let text): append("t", text.utf8)
            case .blob(let blob): append("b", blob)
            }
        }
        return bytes
    }
}
