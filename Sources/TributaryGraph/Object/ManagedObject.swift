/// An object of a model: an entity's attributes and relationships.
///
/// Subclasses declare their properties with `@Attribute` and `@Relationship`; they have no initialisers of their own:
/// a context makes objects. An object belongs to the queue of its context; it is not `Sendable`.
open class ManagedObject {
    /// What stands before the row: nothing, most of the time.
    @usableFromInline
    struct AccessFlags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8
        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The row is not loaded.
        @inlinable static var fault: AccessFlags { AccessFlags(rawValue: 1) }
        /// The next change must be noted.
        @inlinable static var notes: AccessFlags { AccessFlags(rawValue: 2) }
    }

    /// Where the object stands between its context and the store.
    struct State: OptionSet, Sendable {
        let rawValue: UInt16
        /// It has no row in the store yet.
        static var inserted: State { State(rawValue: 1) }
        /// It differs from its row.
        static var updated: State { State(rawValue: 2) }
        /// Its row is to be deleted.
        static var deleted: State { State(rawValue: 4) }
        /// It is in the context's list of changes.
        static var pending: State { State(rawValue: 8) }
        /// It is in the context's list of what has changed since pending changes were processed.
        static var modified: State { State(rawValue: 16) }
        /// Its deletion has reached the objects around it.
        static var propagated: State { State(rawValue: 32) }
        /// It has no context any more.
        static var detached: State { State(rawValue: 64) }
        /// It was inserted since pending changes were processed.
        static var new: State { State(rawValue: 128) }

        /// Somebody else has deleted its row.
        static var gone: State { State(rawValue: 256) }
        /// The editLog knows how it stood before this edit.
        static var logged: State { State(rawValue: 512) }
        /// The editLog knows its values before this edit.
        static var valuesLogged: State { State(rawValue: 1024) }

        static var anyChange: State { State(rawValue: 7) }
    }

    // The fields belong to one queue, and nothing calls out while one is read or written: what the compiler would check at
    // each access, at several times its cost, cannot happen.

    @exclusivity(unchecked) @usableFromInline final var row: Row
    /// The context it belongs to, and what it is; nil while its class is being described.
    final let registry: EntityRegistry?
    /// The number of its row; negative as long as it has none.
    @exclusivity(unchecked) final var key: Int64
    /// The version of its row; 0 as long as it has none.
    @exclusivity(unchecked) package final var version: Int64 = 0
    /// The values of the row in the store, if they differ from those in memory.
    @exclusivity(unchecked) final var committed: Row?
    @exclusivity(unchecked) @usableFromInline final var accessFlags: AccessFlags = []
    @exclusivity(unchecked) final var state: State = []

    /// Called by the library alone.
    public required init(_ seed: ObjectStorage) {
        row = seed.row
        registry = seed.registry
        key = seed.key
    }

    deinit {
        registry?.forget(self)
        row.deallocate()
        committed?.deallocate()
    }

    /// The name of the entity that the class stands for: that of the class, unless it is overridden.
    open class var entityName: String { String(describing: self) }

    /// Whether the entity has no objects of its own; to be overridden in the class itself.
    open class var isAbstractEntity: Bool { false }

    /// The order of ``ManagedRecord/all(in:sort:)`` where none is named: that in which objects were made, unless it is
    /// overridden.
    open class var defaultSort: [SortKey] { [] }

    /// Which objects ``ContextManager/purgeStaleObjects()`` deletes; nil, as it is unless overridden, for none.
    open class var stalenessFilter: Filter? { nil }

    // MARK: What subclasses may override

    /// Called once in the life of an object, when it has been inserted and has its defaults.
    open func awakeFromInsert() {}

    /// Called when the values have come from the store.
    open func awakeFromFetch() {}

    /// Called before the object becomes a fault and loses its values.
    open func willTurnIntoFault() {}

    /// Called when the object is marked as deleted, before anything around it has changed.
    open func prepareForDeletion() {}

    /// Called before each save that concerns the object; it may still be changed.
    open func willSave() {}

    /// Called after each save that has concerned the object.
    open func didSave() {}

    /// What is wrong with the object as one to insert, beyond what the model demands; throw it.
    open func validateForInsert() throws {}

    /// What is wrong with the object as one to update, beyond what the model demands; throw it.
    open func validateForUpdate() throws {}

    /// Why the object cannot be deleted; throw it.
    open func validateForDelete() throws {}

    // MARK: The row

    /// What the object is.
    public final var entity: Entity {
        guard let registry else { fatalError("this object only describes its class") }
        return registry.entity
    }

    /// Whether it only tells what its class declares.
    final var isDescription: Bool { registry == nil }

    /// The row, to read a slot of it.
    @inlinable
    @inline(__always)
    final func rowToRead(_ slot: UInt16) -> Row {
        if accessFlags.contains(.fault) { fire() }
        return row
    }

    /// The row, to write a slot of it; nil if it holds the value already.
    @inlinable
    @inline(__always)
    final func rowToWrite(_ slot: UInt16, unless isEqual: (Row) -> Bool) -> Row? {
        if accessFlags.contains(.fault) { fire() }
        if isEqual(row) { return nil }
        if !accessFlags.isEmpty { willChange(slot) }
        return row
    }

    /// Loads the row.
    @usableFromInline
    @inline(never)
    final func fire() { registry?.context?.load(self) }

    /// Notes that the user is about to change a value; those that are computed are none of his.
    @usableFromInline
    @inline(never)
    final func willChange(_ slot: UInt16) {
        if let derived = registry?.derived { demand(!derived.isDerived(Int(slot)), derived.refusal(Int(slot))) }
        willChange()
    }

    /// Notes that a value is about to change.
    final func willChange() {
        if accessFlags.contains(.fault) {
            fire()
            // What cannot be read cannot be changed.
            if accessFlags.contains(.fault) { return }
        }
        registry?.context?.note(self)
    }
}

extension ManagedObject: Hashable {
    /// Whether both are the same object.
    public static func == (one: ManagedObject, other: ManagedObject) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable, message: "objects stay on the queue of their context; pass their ids")
extension ManagedObject: Sendable {}
