import CTributaryThread

/// Assigns slots to the properties of an object that is being initialised on a thread, and collects their declarations
/// when a class is described.
///
/// Swift initialises the properties of a subclass before those of its superclass, and a model orders them otherwise; a
/// list has the slot of each property in the order of initialisation. Objects are made by the million, so the state is
/// plain memory of the thread, without reference counts.
@usableFromInline
enum Declaring {
    /// Marks a slot that is assigned while a class is being described.
    @usableFromInline static let describingFlag: UInt16 = 0x8000

    /// The slot of the property that is being initialised, with `describingFlag` if it must report its declaration.
    @usableFromInline
    static func nextSlot() -> UInt16 {
        let thread = tributary_thread()
        if let slots = thread.pointee.slots {
            thread.pointee.slots = slots + 1
            return slots.pointee
        }
        let turn = thread.pointee.turn
        thread.pointee.turn = turn + 1
        return UInt16(truncatingIfNeeded: turn) | describingFlag
    }

    /// The collector of the class that is being described; nil if none is.
    static var collector: DeclarationCollector? {
        tributary_thread().pointee.collector.map {
            Unmanaged<DeclarationCollector>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Makes an object whose properties get `slots` in the order of initialisation.
    static func make(
        _ type: ManagedObject.Type, slots: UnsafePointer<UInt16>, _ storage: ObjectStorage
    ) -> ManagedObject {
        let thread = tributary_thread()
        // A stored property of a class may make an object while another one is being initialised.
        let outer = thread.pointee.slots
        thread.pointee.slots = slots
        defer { thread.pointee.slots = outer }
        return type.init(storage)
    }

    /// Makes an object of `type` that serves only to describe its class, and collects the declarations of the class.
    static func describe(_ type: ManagedObject.Type) -> (object: ManagedObject, declarations: DeclarationCollector) {
        let thread = tributary_thread()
        let outer = thread.pointee
        let collector = DeclarationCollector()
        thread.pointee.slots = nil
        thread.pointee.turn = 0
        thread.pointee.collector = UnsafeRawPointer(Unmanaged.passUnretained(collector).toOpaque())
        defer {
            thread.pointee.slots = outer.slots
            thread.pointee.turn = outer.turn
            thread.pointee.collector = outer.collector
        }
        return withExtendedLifetime(collector) {
            (type.init(ObjectStorage(row: .allocate(0), registry: nil)), collector)
        }
    }

    /// Runs `body`, which follows a key path that `trace` records.
    static func follow<Result>(_ trace: KeyPathTrace, _ body: () -> Result) -> Result {
        let thread = tributary_thread()
        let outer = thread.pointee.trace
        thread.pointee.trace = UnsafeRawPointer(Unmanaged.passUnretained(trace).toOpaque())
        defer { thread.pointee.trace = outer }
        return withExtendedLifetime(trace) { body() }
    }

    /// The trace of the key path that is being followed; nil if none is.
    static var trace: KeyPathTrace? {
        tributary_thread().pointee.trace.map { Unmanaged<KeyPathTrace>.fromOpaque($0).takeUnretainedValue() }
    }
}
