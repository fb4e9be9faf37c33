#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What happens on a thread while an object is being initialised: its properties take their slots one after the other,
/// and tell about themselves if somebody wants to know.
///
/// Swift initialises the properties of a subclass before those of its superclass, and a model orders them otherwise;
/// `slots` says which slot of the entity each property in turn has. Objects are made by the million, so this is plain
/// memory of the thread, without references to count.
@usableFromInline
struct Declaring {
    /// Which property comes next, from 0.
    private var cursor = 0
    /// For each property in turn its slot; nil while a class is being described, where each has its own number.
    private var slots: UnsafePointer<UInt16>?
    /// Collects what the properties say; nil while ordinary objects are made.
    private var collector: Unmanaged<DeclarationCollector>?
    /// Collects what a key path reads; nil while none is followed.
    private var followedTrace: Unmanaged<KeyPathTrace>?

    /// Marks a slot that is taken while a class is being described.
    @usableFromInline static let described: UInt16 = 0x8000

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { (pointer: UnsafeMutableRawPointer?) in pointer?.deallocate() }
        return key
    }()

    /// That of the calling thread.
    private static var current: UnsafeMutablePointer<Declaring> {
        if let pointer = pthread_getspecific(key) { return pointer.assumingMemoryBound(to: Declaring.self) }
        let fresh = UnsafeMutablePointer<Declaring>.allocate(capacity: 1)
        fresh.initialize(to: Declaring())
        pthread_setspecific(key, fresh)
        return fresh
    }

    /// The slot of the property that is being initialised, with the mark `described` if it shall tell about itself.
    @usableFromInline
    static func takeSlot() -> UInt16 {
        let current = current
        let turn = current.pointee.cursor
        current.pointee.cursor = turn + 1
        if let slots = current.pointee.slots { return slots[turn] }
        return UInt16(truncatingIfNeeded: turn) | described
    }

    /// Who collects what the properties of the class at hand say.
    static var collector: DeclarationCollector? { current.pointee.collector?.takeUnretainedValue() }

    /// Makes an object whose properties get `slots` in turn.
    static func make(_ type: ManagedObject.Type, slots: UnsafePointer<UInt16>, _ seed: ObjectSeed) -> ManagedObject {
        let current = current
        let outer = current.pointee
        current.pointee = Declaring(cursor: 0, slots: slots)
        defer { current.pointee = outer }
        return type.init(seed)
    }

    /// Makes an object of `type` that is good for nothing but telling what its class declares.
    static func describe(_ type: ManagedObject.Type) -> (object: ManagedObject, said: DeclarationCollector) {
        let current = current
        let outer = current.pointee
        let said = DeclarationCollector()
        current.pointee = Declaring(cursor: 0, collector: Unmanaged.passUnretained(said))
        defer { current.pointee = outer }
        return (type.init(ObjectSeed(row: .allocate(0), home: nil)), said)
    }

    /// Runs `body` while a key path is followed.
    static func follow<Result>(_ trace: KeyPathTrace, _ body: () -> Result) -> Result {
        let current = current
        let outer = current.pointee.followedTrace
        current.pointee.followedTrace = Unmanaged.passUnretained(trace)
        defer { current.pointee.followedTrace = outer }
        return body()
    }

    /// Who collects what the key path at hand reads.
    static var trace: KeyPathTrace? { current.pointee.followedTrace?.takeUnretainedValue() }
}
