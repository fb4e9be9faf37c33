/// The objects of a context by the keys of their rows, held as unowned references.
///
/// A hash table with linear probing that stores addresses alone, because each object has its key. A million objects
/// take 16 MiB.
///
///     slot     0    1    2    3    4 …
///              ·    #17  #4   ·    #1       an object is at its hash or after it, with no empty slot between
final class IdentityMap {
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<UnsafeRawPointer?>
    @exclusivity(unchecked) private var shift: UInt64
    @exclusivity(unchecked) private var mask: Int
    private(set) var count = 0
    private var tombstoneCount = 0
    /// Objects to which a running save has given consecutive keys.
    ///
    /// They are looked up here during the save. Most of them are no longer referenced when it ends, and then never
    /// enter the table.
    private(set) var objectsBeingSaved: (first: Int64, objects: [ManagedObject])?
    /// The slot at which the next call of `nextObjects` starts.
    private var cursor = 0

    init() {
        slots = .allocate(capacity: 16)
        slots.initialize(repeating: nil, count: 16)
        shift = 60
        mask = 15
    }

    deinit { slots.deallocate() }

    /// The slot at which probing for a key starts; 16 consecutive keys are adjacent, as they are mostly used together.
    private func firstSlot(of key: Int64) -> Int {
        let block = (UInt64(bitPattern: key) >> 4 &* 0x9E37_79B9_7F4A_7C15) >> shift
        return (Int(truncatingIfNeeded: block) & ~15 | Int(truncatingIfNeeded: key & 15)) & mask
    }

    /// Marks the slot of a removed object, so that probing continues past it.
    private static var tombstone: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 1) }

    private func object(at slot: Int) -> ManagedObject? {
        guard let pointer = slots[slot], pointer != IdentityMap.tombstone else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The key of an object, which still exists because objects remove themselves from the table in `deinit`.
    private func key(of pointer: UnsafeRawPointer) -> Int64 {
        Unmanaged<ManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.key }
    }

    func find(_ key: Int64) -> ManagedObject? {
        var slot = firstSlot(of: key)
        while let pointer = slots[slot] {
            if pointer != IdentityMap.tombstone, self.key(of: pointer) == key { return object(at: slot) }
            slot = (slot + 1) & mask
        }
        return objectsBeingSaved == nil ? nil : objectBeingSaved(key)
    }

    /// Adds an object whose key is not in the table yet.
    func insert(_ object: ManagedObject) {
        if (count + tombstoneCount) * 4 >= (mask + 1) * 3 { rehash() }
        put(Unmanaged.passUnretained(object).toOpaque(), object.key)
        count += 1
    }

    private func put(_ pointer: UnsafeRawPointer, _ key: Int64) {
        var slot = firstSlot(of: key)
        while let present = slots[slot] {
            if present == IdentityMap.tombstone {
                tombstoneCount -= 1
                break
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = pointer
    }

    func remove(_ object: ManagedObject) {
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        var slot = firstSlot(of: object.key)
        while let present = slots[slot], present != pointer { slot = (slot + 1) & mask }
        guard slots[slot] != nil else { return }
        count -= 1
        guard slots[(slot + 1) & mask] == nil else {
            slots[slot] = IdentityMap.tombstone
            tombstoneCount += 1
            return
        }
        slots[slot] = nil
        // No probe passes the tombstones before an empty slot.
        slot = (slot - 1) & mask
        while slots[slot] == IdentityMap.tombstone {
            slots[slot] = nil
            tombstoneCount -= 1
            slot = (slot - 1) & mask
        }
    }

    /// Moves all objects to a table without tombstones, which is larger if there are many objects.
    private func rehash() {
        let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
        if count * 2 >= old.count {
            mask = old.count * 2 - 1
            shift -= 1
        }
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: nil, count: mask + 1)
        tombstoneCount = 0
        for case let pointer? in old where pointer != IdentityMap.tombstone { put(pointer, key(of: pointer)) }
        old.deallocate()
        cursor = 0
    }

    var all: [ManagedObject] {
        let saved = objectsBeingSaved.map { $0.objects.filter { !$0.state.contains(.detached) } } ?? []
        return (0...mask).compactMap { object(at: $0) } + saved
    }

    // MARK: Objects of a running save

    /// Makes objects findable that have consecutive keys from `first` on.
    func receive(_ objects: [ManagedObject], from first: Int64) { objectsBeingSaved = (first, objects) }

    /// Adds the received objects that are referenced elsewhere, and releases the others.
    func registerSavedObjects() {
        guard let objects = objectsBeingSaved?.objects else { return }
        objectsBeingSaved = nil
        objects.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            // `isKnownUniquelyReferenced` only reads through its `inout` argument.
            let elements = UnsafeMutablePointer(mutating: start)
            for index in 0..<buffer.count where !isKnownUniquelyReferenced(&elements[index]) {
                if !elements[index].state.contains(.detached) { insert(elements[index]) }
            }
        }
    }

    private func objectBeingSaved(_ key: Int64) -> ManagedObject? {
        guard let (first, objects) = objectsBeingSaved, key >= first, key - first < objects.count else { return nil }
        let object = objects[Int(key - first)]
        return object.state.contains(.detached) ? nil : object
    }

    /// Up to `limit` objects for which `isWanted` holds, among the next few slots of the table.
    ///
    /// Each call continues where the last one stopped, so that a series of calls visits every object, and the cost of
    /// one call does not depend on their number.
    func nextObjects(limit: Int, where isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
        var found: [ManagedObject] = []
        for _ in 0...min(mask, limit * 4) {
            if found.count >= limit { break }
            if let object = object(at: cursor), isWanted(object) { found.append(object) }
            cursor = (cursor + 1) & mask
        }
        return found
    }
}
