import CTributaryThread

/// What happens on a thread while an object is being initialised: its properties take their slots one after the other,
/// and tell about themselves if somebody wants to know.
///
/// Swift initialises the properties of a subclass before those of its superclass, and a model orders them otherwise; a
/// list of slots says which slot of the entity each property in turn has. Objects are made by the million, so this is
/// plain memory of the thread, without references to count.
@usableFromInline
enum Declaring {
    /// Marks a slot that is taken while a class is being described.
    @usableFromInline static let described: UInt16 = 0x8000

    /// The slot of the property that is being initialised, with the mark `described` if it shall tell about itself.
    @usableFromInline
    static func takeSlot() -> UInt16 {
        let thread = tributary_thread()
        if let slots = thread.pointee.slots {
            thread.pointee.slots = slots + 1
            return slots.pointee
        }
        let turn = thread.pointee.turn
        thread.pointee.turn = turn + 1
        return UInt16(truncatingIfNeeded: turn) | described
    }

    /// Who collects what the properties of the class at hand say.
    static var collector: DeclarationCollector? {
        tributary_thread().pointee.collector.map {
            Unmanaged<DeclarationCollector>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Makes an object whose properties get `slots` in turn.
    static func make(_ type: ManagedObject.Type, slots: UnsafePointer<UInt16>, _ seed: ObjectStorage) -> ManagedObject {
        let thread = tributary_thread()
        // An object that is made while another one is being initialised, by a stored property of its class.
        let outer = thread.pointee.slots
        thread.pointee.slots = slots
        defer { thread.pointee.slots = outer }
        return type.init(seed)
    }

    /// Makes an object of `type` that is good for nothing but telling what its class declares.
    static func describe(_ type: ManagedObject.Type) -> (object: ManagedObject, said: DeclarationCollector) {
        let thread = tributary_thread()
        let outer = thread.pointee
        let said = DeclarationCollector()
        thread.pointee.slots = nil
        thread.pointee.turn = 0
        thread.pointee.collector = UnsafeRawPointer(Unmanaged.passUnretained(said).toOpaque())
        defer {
            thread.pointee.slots = outer.slots
            thread.pointee.turn = outer.turn
            thread.pointee.collector = outer.collector
        }
        return withExtendedLifetime(said) { (type.init(ObjectStorage(row: .allocate(0), registry: nil)), said) }
    }

    /// Runs `body` while a key path is followed.
    static func follow<Result>(_ trace: KeyPathTrace, _ body: () -> Result) -> Result {
        let thread = tributary_thread()
        let outer = thread.pointee.trace
        thread.pointee.trace = UnsafeRawPointer(Unmanaged.passUnretained(trace).toOpaque())
        defer { thread.pointee.trace = outer }
        return withExtendedLifetime(trace) { body() }
    }

    /// Who collects what the key path at hand reads.
    static var trace: KeyPathTrace? {
        tributary_thread().pointee.trace.map { Unmanaged<KeyPathTrace>.fromOpaque($0).takeUnretainedValue() }
    }
}
