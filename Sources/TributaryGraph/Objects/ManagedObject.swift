/// An object of an entity, with the values of its attributes and relationships.
///
/// Subclasses declare their properties with `@Attribute` and `@Relationship`, and have no initialisers of their own,
/// because contexts make the objects. An object belongs to the queue of its context; it is not `Sendable`.
open class ManagedObject {
    /// Flags that an access to the row must check; mostly none are set.
    @usableFromInline
    struct AccessFlags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8
        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The row is not loaded.
        @inlinable static var fault: AccessFlags { AccessFlags(rawValue: 1) }
        /// The next change must be reported to the context.
        @inlinable static var reportsChange: AccessFlags { AccessFlags(rawValue: 2) }
    }

    /// The state of the object in its context.
    struct State: OptionSet, Sendable {
        let rawValue: UInt16
        /// It has no row in the store yet.
        static var inserted: State { State(rawValue: 1) }
        /// It differs from its row.
        static var updated: State { State(rawValue: 2) }
        /// Its row is to be deleted.
        static var deleted: State { State(rawValue: 4) }
        /// It is in the context's list of pending objects.
        static var pending: State { State(rawValue: 8) }
        /// It is in the context's list of objects changed since pending changes were processed.
        static var modified: State { State(rawValue: 16) }
        /// Its deletion was propagated to related objects.
        static var propagated: State { State(rawValue: 32) }
        /// It was removed from its context.
        static var detached: State { State(rawValue: 64) }
        /// It was inserted since pending changes were processed.
        static var new: State { State(rawValue: 128) }

        /// Another context or process deleted its row.
        static var rowDeleted: State { State(rawValue: 256) }
        /// The edit log has its state before this edit.
        static var logged: State { State(rawValue: 512) }
        /// The edit log has its values before this edit.
        static var valuesLogged: State { State(rawValue: 1024) }
        /// It is marked as deleted, and another context has changed its row since.
        static var outdated: State { State(rawValue: 2048) }

        static var anyChange: State { State(rawValue: 7) }
    }

    // Exclusivity checks would cost several times the access itself. They are not needed: the fields belong to one
    // queue, and no other code runs during an access.

    @exclusivity(unchecked) @usableFromInline final var row: Row
    /// The registry, which has the context and the entity; nil in an object that describes its class.
    final let registry: EntityRegistry?
    /// The key of its row; negative as long as it has none.
    @exclusivity(unchecked) final var key: Int64
    /// The version of its row; 0 as long as it has none.
    @exclusivity(unchecked) package final var version: Int64 = 0
    /// The values of the row in the store; nil if they are equal to those in memory.
    @exclusivity(unchecked) final var committed: Row?
    @exclusivity(unchecked) @usableFromInline final var accessFlags: AccessFlags = []
    @exclusivity(unchecked) final var state: State = []

    /// Called only by the library.
    public required init(_ storage: ObjectStorage) {
        row = storage.row
        registry = storage.registry
        key = storage.key
    }

    deinit {
        registry?.objectWillDeinit(self)
        row.deallocate()
        committed?.deallocate()
    }

    /// The name of the entity of the class; the name of the class unless overridden.
    open class var entityName: String { String(describing: self) }

    /// Whether the entity is abstract; must be overridden in the class itself.
    open class var isAbstractEntity: Bool { false }

    /// Adds to the description of the entity what properties cannot declare: indexes, constraints of several
    /// properties, fetched properties, `userInfo` and the like.
    ///
    ///     override class func describe(_ entity: inout EntityDescription) {
    ///         entity.uniquenessConstraints.append(["city", "street"])
    ///     }
    ///
    /// A subclass must override it as well, or it makes the same additions again.
    open class func describe(_ entity: inout EntityDescription) {}

    /// The default order of ``ManagedRecord/all(in:sort:)``; the order of insertion unless overridden.
    open class var defaultSort: [SortKey] { [] }

    /// The filter of the objects that ``ContextManager/purgeStaleObjects()`` deletes; nil, the default, for none.
    open class var stalenessFilter: Filter? { nil }

    // MARK: Hooks for subclasses

    /// Called once, after the object was inserted with its default values.
    open func awakeFromInsert() {}

    /// Called after the values were loaded from the store.
    open func awakeFromFetch() {}

    /// Called before the object becomes a fault and loses its values.
    open func willTurnIntoFault() {}

    /// Called when the object is marked as deleted, before its delete rules are applied.
    open func prepareForDeletion() {}

    /// Called before each save of the object, which may still be changed.
    open func willSave() {}

    /// Called after each save of the object.
    open func didSave() {}

    /// Validates the object before its insertion is saved, beyond the rules of the model; throws if it is invalid.
    open func validateForInsert() throws {}

    /// Validates the object before its update is saved, beyond the rules of the model; throws if it is invalid.
    open func validateForUpdate() throws {}

    /// Validates the object before its deletion is saved; throws if it cannot be deleted.
    open func validateForDelete() throws {}

    // MARK: The row

    final var valueSlots: [Int] { registry?.valueSlots ?? [] }

    /// Gives all attributes and to-one relationships the values of another row.
    final func assignValues(_ values: Row) { for slot in valueSlots { row.assign(values, slot) } }

    /// Makes the values of the object those of its row.
    final func forgetCommitted() {
        committed?.deallocate()
        committed = nil
    }

    /// Makes the object a fault.
    final func discardValues() {
        row.clear()
        forgetCommitted()
        accessFlags = .fault
    }

    /// The entity of the object.
    public final var entity: Entity {
        guard let registry else { fatalError("internal error: an object that only describes its class has no entity") }
        return registry.entity
    }

    @inlinable
    @inline(__always)
    final func rowToRead(_ slot: UInt16) -> Row {
        if accessFlags.contains(.fault) { fire() }
        return row
    }

    /// The row for writing a slot; nil if it has the value already.
    @inlinable
    @inline(__always)
    final func rowToWrite(_ slot: UInt16, unless isEqual: (Row) -> Bool) -> Row? {
        if accessFlags.contains(.fault) { fire() }
        if isEqual(row) { return nil }
        if !accessFlags.isEmpty { willChange(slot) }
        return row
    }

    @usableFromInline
    @inline(never)
    final func fire() { registry?.context?.load(self) }

    /// Prepares for the change of a value by the program, which must not change derived attributes.
    @usableFromInline
    @inline(never)
    final func willChange(_ slot: UInt16) {
        if let derived = registry?.derived { demand(!derived.isDerived(Int(slot)), derived.refusal(Int(slot))) }
        willChange()
    }

    final func willChange() {
        if accessFlags.contains(.fault) {
            fire()
            // A row that cannot be read cannot be changed.
            if accessFlags.contains(.fault) { return }
        }
        registry?.context?.willModify(self)
    }
}

extension ManagedObject: Hashable {
    /// Whether both are the same object.
    public static func == (one: ManagedObject, other: ManagedObject) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable, message: "objects belong to the queue of their context; pass their IDs")
extension ManagedObject: Sendable {}
