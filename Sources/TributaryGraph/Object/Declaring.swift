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
    /// The slot of the relationship that was read last, while a key path is being followed.
    private var followed: UInt16?
    private var isFollowing = false

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

    /// The slot of the relationship that `path` leads to, looked up on an object made by `describe`.
    static func slot(of path: AnyKeyPath, on object: ManagedObject) -> UInt16? {
        let current = current
        current.pointee.isFollowing = true
        current.pointee.followed = nil
        defer { current.pointee.isFollowing = false }
        _ = object[keyPath: path]
        return current.pointee.followed
    }

    /// Notes that a relationship is read; true if that is all that is wanted.
    static func follow(_ slot: UInt16) -> Bool {
        let current = current
        if current.pointee.isFollowing { current.pointee.followed = slot }
        return current.pointee.isFollowing
    }
}
