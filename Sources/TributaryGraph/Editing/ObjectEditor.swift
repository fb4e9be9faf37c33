import TributarySQLite

/// Inserts and changes objects of one entity in separate edits, each of which is validated at its end, and kept or
/// undone as a whole, including its changes of related objects.
///
///     let editor = try ObjectEditor(context, entity, key: [id])
///     defer { editor.finish() }
///     editor.begin()
///     let book = editor.make(keys, record, number: nil)
///     …
///     if let fault = try editor.faults(around: book).first { editor.undo() } else { editor.keep() }
///
/// Editors can be nested; undoing the outer edit also undoes the inner edits that were kept.
package final class ObjectEditor {
    // An editor is used in one thread, and no access to a field overlaps another: its marks change with each record.

    let context: ManagedObjectContext
    let registry: EntityRegistry
    private let key: [AttributeProperty]
    /// The entity among whose objects the key is unique.
    private let scope: Entity
    let editLog: EditLog
    /// The index of the first step of the current edit in the log.
    @exclusivity(unchecked) private(set) var mark = 0
    /// The number of changes to be registered with the undo manager before the current edit.
    @exclusivity(unchecked) private var undoMark = 0
    private var isFinished = false
    /// The attributes that get their default values when an object is replaced.
    private lazy var resettable = registry.entity.attributes.filter { attribute in
        !key.contains(attribute) && attribute.declaration.derivation == nil
    }

    /// An editor of objects of `entity`, whose `key` is unique among the objects of `scope`.
    package init(_ context: ManagedObjectContext, _ entity: Entity, key: [AttributeProperty], scope: Entity) throws {
        try context.checkIsPrivate()
        self.context = context
        self.key = key
        self.scope = scope
        registry = context.registry(entity)
        let editLog = context.editLog ?? EditLog()
        if editLog.depth == 0 {
            // Every change from here on is logged.
            context.processPendingChanges()
        } else {
            editLog.clearFlags(from: 0)
        }
        editLog.depth += 1
        context.editLog = editLog
        self.editLog = editLog
        begin()
    }

    /// Ends logging, so that the context can be saved or rolled back again.
    package func finish() {
        guard !isFinished else { return }
        isFinished = true
        editLog.depth -= 1
        if editLog.depth == 0 { context.editLog = nil }
    }

    // MARK: Edits

    /// Begins an edit.
    @inline(__always)
    package func begin() {
        mark = editLog.steps.count
        undoMark = context.undoLog?.steps.count ?? 0
    }

    /// Inserts an object with the unique key of a record; `number` is the key of its row, if one was reserved.
    @inline(__always)
    package func make(_ keys: SortedKeys, _ record: Int, number: Int64?) -> ManagedObject {
        let object = context.insert(registry, key: number) { keys.write(record, to: $0) }
        object.awakeFromInsert()
        return object
    }

    /// Gives all attributes except the key their default values.
    package func reset(_ object: ManagedObject) {
        if object.accessFlags.contains(.fault) { object.fire() }
        let fresh = registry.newRow()
        defer { fresh.deallocate() }
        for attribute in resettable where !object.row.isEqual(fresh, attribute.slot) {
            if !object.accessFlags.isEmpty { object.willChange() }
            object.row.assign(fresh, attribute.slot)
        }
    }

    /// Keeps the changes of the edit.
    @inline(__always)
    package func keep() {
        editLog.clearFlags(from: mark)
        if editLog.depth == 1 { editLog.discardSteps(from: mark) }
    }

    /// Undoes the changes of the edit.
    package func undo() {
        context.undo(editLog, to: mark)
        context.undoLog?.truncate(to: undoMark)
    }

    // MARK: Checking

    /// Whether an object is neither deleted nor detached.
    @inline(__always)
    package func isAlive(_ object: ManagedObject) -> Bool {
        object.state.isDisjoint(with: [.deleted, .detached])
    }

    /// Whether an object has the key of a record.
    @inline(__always)
    package func hasKey(_ object: ManagedObject, _ keys: SortedKeys, _ record: Int) -> Bool {
        if object.accessFlags.contains(.fault) { object.fire() }
        return keys.order(record, object.row) == 0
    }

    /// Whether the edit has made no changes so far.
    @inline(__always)
    package var hasNoChanges: Bool { editLog.steps.count == mark }

    /// Whether the edit has inserted an object and made no other changes.
    @inline(__always)
    package var isPlainInsertion: Bool { editLog.steps.count == mark + 1 }

    /// Whether the edit has inserted or changed only `object`, and only attributes of it.
    @inline(__always)
    package func changesOnlyAttributes(of object: ManagedObject) -> Bool {
        (isPlainInsertion || concerns(object)) && object.hasOnlyAttributeChanges
    }

    private func concerns(_ object: ManagedObject) -> Bool {
        editLog.steps[mark...].allSatisfy { step in
            switch step {
            case .inserted(let other), .state(let other, _), .image(let other, _, _): other === object
            case .added, .removed, .arranged: false
            }
        }
    }

    /// Propagates the deletions of the edit to related objects.
    package func propagateDeletions() {
        if !context.pendingChanges.deletions.isEmpty { context.propagateDeletions() }
    }

    /// The rules that are violated by an object and by the other objects that the edit has inserted or changed.
    package func faults(around object: ManagedObject) -> [ValidationError] {
        var faults: [ValidationError] = []
        check(object, &faults)
        if isPlainInsertion { return faults }
        for other in editedObjects where other !== object { check(other, &faults) }
        return faults
    }

    private func check(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        let state = object.state
        guard !state.contains(.detached), !state.isDisjoint(with: .anyChange), !state.contains([.inserted, .deleted])
        else { return }
        object.registry?.validator.check(object, &faults)
    }

    /// The objects that the edit has inserted or changed, each once.
    private var editedObjects: [ManagedObject] {
        var seen: Set<ObjectIdentifier> = []
        return editLog.steps[mark...].compactMap { step in
            switch step {
            case .inserted(let object), .state(let object, _):
                seen.insert(ObjectIdentifier(object)).inserted ? object : nil
            default: nil
            }
        }
    }

    /// Other objects of `scope` that the edit has inserted, or whose unique key it has changed.
    package func objectsWithNewKeys(besides object: ManagedObject) -> [ManagedObject] {
        if isPlainInsertion { return [] }
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
        return editLog.steps[mark...].compactMap { step -> ManagedObject? in
            let other: ManagedObject
            switch step {
            case .inserted(let made): other = made
            case .image(let changed, let row, _):
                guard changed.entity.isKind(of: scope), let before = row ?? changed.committed,
                    key.contains(where: { !changed.row.isEqual(before, $0.slot) })
                else { return nil }
                other = changed
            default: return nil
            }
            guard other.entity.isKind(of: scope), isAlive(other), seen.insert(ObjectIdentifier(other)).inserted
            else { return nil }
            return other
        }
    }

    /// Whether any object differs from its state before the edit.
    package var hasChanges: Bool {
        var links: [LinkChange: Int] = [:]
        for step in editLog.steps[mark...] {
            switch step {
            case .inserted(let object): if isAlive(object) { return true }
            case .state(let object, let before):
                if object.state.contains(.deleted) != before.contains(.deleted) { return true }
            case .image(let object, let row, _):
                if let before = row ?? object.committed,
                    object.valueSlots.contains(where: { !object.row.isEqual(before, $0) })
                {
                    return true
                }
            case .added(let many, let object): links[LinkChange(many, object), default: 0] += 1
            case .removed(let many, let object, _):
                // An object that is added to an ordered relationship again has another position.
                if many.isOrdered { return true }
                links[LinkChange(many, object), default: 0] -= 1
            case .arranged: return true
            }
        }
        return links.values.contains { $0 != 0 }
    }

    private struct LinkChange: Hashable {
        let many: ObjectIdentifier
        let object: ObjectIdentifier

        init(_ many: ManyObjects, _ object: ManagedObject) {
            self.many = ObjectIdentifier(many)
            self.object = ObjectIdentifier(object)
        }
    }

    // MARK: Duplicate keys

    /// The group of the key of an object in `keys`; nil if no record has the key.
    package func group(of object: ManagedObject, in keys: SortedKeys) -> Int? { keys.find(object.row, near: 0) }

    /// Whether another object, saved or not, has the key of `object`.
    package func hasDuplicate(_ object: ManagedObject) throws -> Bool {
        var keys = SortedKeys(key)
        let values = key.map { $0.storedValue(in: object.row) }
        guard !values.contains(.null) else { return false }
        keys.append(values)
        keys.sort()
        return try context.objects(with: keys, of: scope, besides: object).contains { $0 != nil }
    }
}
