import TributarySQLite

/// Makes and changes objects of one entity one after the other, each edit for itself: it is judged when it is done, and
/// kept or taken back as a whole, with all that it has changed around it.
///
///     let editor = try ObjectEditor(context, entity, key: [id])
///     defer { editor.finish() }
///     editor.begin()
///     let book = editor.make(keys, record)
///     …
///     if let fault = try editor.faults(around: book).first { editor.takeBack() } else { editor.keep() }
///
/// Editors may stand one inside the other; the outer edit takes back what the inner ones have kept.
package final class ObjectEditor {
    private let context: ManagedObjectContext
    private let registry: EntityRegistry
    private let key: [AttributeProperty]
    /// The entity among whose objects a key stands once.
    private let scope: Entity
    private let editLog: EditLog
    /// Where the edit at hand begins in the editLog.
    private var mark = 0
    private var isFinished = false
    /// The attributes that a replaced object loses, with what they start with.
    private lazy var resettable = registry.entity.attributes.filter { attribute in
        !key.contains(attribute) && attribute.declaration.derivation == nil
    }

    /// An editor of the objects of `entity` that `key` tells apart, among all those of `scope`.
    ///
    /// - Throws: `ContextError` if the context is on the main actor.
    package init(_ context: ManagedObjectContext, _ entity: Entity, key: [AttributeProperty], scope: Entity) throws {
        try context.demandPrivate()
        self.context = context
        self.key = key
        self.scope = scope
        registry = context.registry(entity)
        let editLog = context.editLog ?? EditLog()
        if editLog.depth == 0 {
            // From here on every change is to be noted.
            context.processPendingChanges()
        } else {
            editLog.settle(from: 0)
        }
        editLog.depth += 1
        context.editLog = editLog
        self.editLog = editLog
        mark = editLog.steps.count
    }

    /// No edits follow; the context is as any other.
    package func finish() {
        guard !isFinished else { return }
        isFinished = true
        editLog.depth -= 1
        if editLog.depth == 0 { context.editLog = nil }
    }

    // MARK: Edits

    /// An edit begins.
    @inline(__always)
    package func begin() { mark = editLog.steps.count }

    /// Makes an object with the key of a record; `number` is that of its row, if it has been reserved.
    @inline(__always)
    package func make(_ keys: SortedKeys, _ record: Int, number: Int64?) -> ManagedObject {
        context.insert(registry, number: number) { keys.write(record, to: $0) }
    }

    /// Gives all attributes but the key what new objects start with.
    package func reset(_ object: ManagedObject) {
        if object.accessFlags.contains(.fault) { object.fire() }
        let fresh = registry.newRow()
        defer { fresh.deallocate() }
        for attribute in resettable where !object.row.isEqual(fresh, attribute.slot) {
            if !object.accessFlags.isEmpty { object.willChange() }
            object.row.assign(fresh, attribute.slot)
        }
    }

    /// Keeps what the edit has done.
    @inline(__always)
    package func keep() {
        editLog.settle(from: mark)
        if editLog.depth == 1 { editLog.forget(from: mark) }
    }

    /// Takes back what the edit has done.
    package func takeBack() { context.takeBack(editLog, to: mark) }

    // MARK: Judging

    /// Whether an object can be changed, and has the key of a record.
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

    /// Whether the edit has done anything so far.
    @inline(__always)
    package var isUntouched: Bool { editLog.steps.count == mark }

    /// Whether the edit has made an object and done nothing else.
    @inline(__always)
    package var isPlainInsertion: Bool { editLog.steps.count == mark + 1 }

    /// Whether the edit has made or changed nothing but `object`, and of it only attributes.
    @inline(__always)
    package func changesOnlyAttributes(of object: ManagedObject) -> Bool {
        (isPlainInsertion || concerns(object)) && object.hasOnlyAttributeChanges
    }

    private func concerns(_ object: ManagedObject) -> Bool {
        editLog.steps[mark...].allSatisfy { step in
            switch step {
            case .inserted(let other), .state(let other, _), .image(let other, _, _): other === object
            case .added, .removed, .moved: false
            }
        }
    }

    /// Carries deletions of the edit on to what is around.
    package func propagateDeletions() {
        if !context.pendingChanges.deletions.isEmpty { context.propagateDeletions() }
    }

    /// What is wrong with an object and with all that the edit has touched.
    package func faults(around object: ManagedObject) -> [ValidationError] {
        var faults: [ValidationError] = []
        check(object, &faults)
        if isPlainInsertion { return faults }
        for other in editedObjects where other !== object { check(other, &faults) }
        return faults
    }

    private func check(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        let state = object.state
        guard state.isDisjoint(with: [.detached, .gone]), !state.isDisjoint(with: .anyChange) else { return }
        guard let validator = object.registry?.validator else { return }
        if state.contains(.deleted) {
            if !state.contains(.inserted) { validator.checkDeletion(object, &faults) }
        } else if !object.accessFlags.contains(.fault) {
            validator.check(object, &faults)
        }
    }

    /// The objects that the edit has made or changed, each once.
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

    /// Other objects that a key must tell apart and that the edit has made or given another key.
    package func rivals(of object: ManagedObject) -> [ManagedObject] {
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

    /// Whether anything differs from how it stood before the edit.
    package var hasChanges: Bool {
        var links: [LinkChange: Int] = [:]
        for step in editLog.steps[mark...] {
            switch step {
            case .inserted(let object): if isAlive(object) { return true }
            case .state(let object, let before):
                if object.state.contains(.deleted) != before.contains(.deleted) { return true }
            case .image(let object, let row, _):
                if let before = row ?? object.committed, differs(object, before) { return true }
            case .added(let many, let object): links[LinkChange(many, object), default: 0] += 1
            case .removed(let many, let object, _):
                // One that comes back to an order comes back elsewhere.
                if many.isOrdered { return true }
                links[LinkChange(many, object), default: 0] -= 1
            case .moved: return true
            }
        }
        return links.values.contains { $0 != 0 }
    }

    private func differs(_ object: ManagedObject, _ before: Row) -> Bool {
        object.entity.properties.contains { property in
            !(property.relationship?.isToMany ?? false) && !object.row.isEqual(before, property.slot)
        }
    }

    private struct LinkChange: Hashable {
        let many: ObjectIdentifier
        let object: ObjectIdentifier

        init(_ many: ManyObjects, _ object: ManagedObject) {
            self.many = ObjectIdentifier(many)
            self.object = ObjectIdentifier(object)
        }
    }

    // MARK: Keys that are taken

    /// The number of a key among those of a batch, if an object has one of them.
    package func group(of object: ManagedObject, in keys: SortedKeys) -> Int? { keys.find(object.row, near: 0) }

    /// Whether another object has the key that `object` has, in the store or among what is not saved.
    package func hasDouble(_ object: ManagedObject) throws -> Bool {
        var keys = SortedKeys(key)
        let values = key.map { attribute in KeyColumn.value(of: attribute, in: object.row) }
        guard !values.contains(.null) else { return false }
        keys.append(values)
        keys.sort()
        return try context.hasObject(with: keys, of: scope, besides: object)
    }
}
