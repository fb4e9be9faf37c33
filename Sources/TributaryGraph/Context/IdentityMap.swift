/// The objects of a context by the numbers of their rows; it does not keep them alive.
///
/// An open table of addresses alone: the number stands in the object. A million objects take 16 MiB.
///
///     slot     0    1    2    3    4 …
///              ·    #17  #4   ·    #1       an object lies at its hash or behind it, without gaps between
final class IdentityMap {
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<UnsafeRawPointer?>
    @exclusivity(unchecked) private var shift: UInt64
    @exclusivity(unchecked) private var mask: Int
    private(set) var count = 0
    private var goneCount = 0
    /// Objects that a save has just given numbers that follow one another.
    ///
    /// As long as it is at work they are found here; most of them nobody holds any more when it is done, and they never
    /// get into the table.
    private var arrivals: (first: Int64, objects: [ManagedObject])?
    /// Where the next look around begins.
    private var cursor = 0

    init() {
        slots = .allocate(capacity: 16)
        slots.initialize(repeating: nil, count: 16)
        shift = 60
        mask = 15
    }

    deinit { slots.deallocate() }

    /// Where a number belongs: sixteen that follow one another lie together, as they are mostly used.
    private func registry(_ key: Int64) -> Int {
        let block = (UInt64(bitPattern: key) >> 4 &* 0x9E37_79B9_7F4A_7C15) >> shift
        return (Int(truncatingIfNeeded: block) & ~15 | Int(truncatingIfNeeded: key & 15)) & mask
    }

    /// Stands where an object was that had others behind it, so that they are found.
    private static var gone: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 1) }

    private func object(at place: Int) -> ManagedObject? {
        guard let pointer = slots[place], pointer != IdentityMap.gone else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// An object takes itself out before it goes: what stands in the table is alive, if only just.
    private func key(of pointer: UnsafeRawPointer) -> Int64 {
        Unmanaged<ManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.key }
    }

    /// The object of a number.
    func find(_ key: Int64) -> ManagedObject? {
        var place = registry(key)
        while let here = slots[place] {
            if here != IdentityMap.gone, self.key(of: here) == key { return object(at: place) }
            place = (place + 1) & mask
        }
        return arrivals == nil ? nil : arrival(key)
    }

    /// Takes an object in; its number must not be there yet.
    func insert(_ object: ManagedObject) {
        if (count + goneCount) * 4 >= (mask + 1) * 3 { rearrange() }
        put(Unmanaged.passUnretained(object).toOpaque(), object.key)
        count += 1
    }

    private func put(_ pointer: UnsafeRawPointer, _ key: Int64) {
        var place = registry(key)
        while let here = slots[place] {
            if here == IdentityMap.gone {
                goneCount -= 1
                break
            }
            place = (place + 1) & mask
        }
        slots[place] = pointer
    }

    /// Takes an object out, if it is there.
    func remove(_ object: ManagedObject) {
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        var place = registry(object.key)
        while let here = slots[place], here != pointer { place = (place + 1) & mask }
        guard slots[place] != nil else { return }
        count -= 1
        guard slots[(place + 1) & mask] == nil else {
            slots[place] = IdentityMap.gone
            goneCount += 1
            return
        }
        slots[place] = nil
        // Nothing is behind those before any more.
        place = (place - 1) & mask
        while slots[place] == IdentityMap.gone {
            slots[place] = nil
            goneCount -= 1
            place = (place - 1) & mask
        }
    }

    /// Makes a table without places of those that are gone, and a larger one if there are many objects.
    private func rearrange() {
        let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
        if count * 2 >= old.count {
            mask = old.count * 2 - 1
            shift -= 1
        }
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: nil, count: mask + 1)
        goneCount = 0
        for case let pointer? in old where pointer != IdentityMap.gone { put(pointer, key(of: pointer)) }
        old.deallocate()
        cursor = 0
    }

    /// All objects.
    var all: [ManagedObject] {
        let arrived = arrivals.map { $0.objects.filter { !$0.state.contains(.detached) } } ?? []
        return (0...mask).compactMap { object(at: $0) } + arrived
    }

    // MARK: Arrivals

    /// Whether the objects of a save are found, and not yet taken in.
    var hasArrivals: Bool { arrivals != nil }

    /// Lets objects be found whose numbers follow one another from `first` on.
    func receive(_ objects: [ManagedObject], from first: Int64) { arrivals = (first, objects) }

    /// Takes in those of the objects received that somebody else holds; all others can go.
    func registerArrivals() {
        guard let objects = arrivals?.objects else { return }
        arrivals = nil
        objects.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            // The count of references is read there, and nothing written.
            let places = UnsafeMutablePointer(mutating: start)
            for place in 0..<buffer.count where !isKnownUniquelyReferenced(&places[place]) {
                if !places[place].state.contains(.detached) { insert(places[place]) }
            }
        }
    }

    private func arrival(_ key: Int64) -> ManagedObject? {
        guard let (first, objects) = arrivals, key >= first, key - first < objects.count else { return nil }
        let object = objects[Int(key - first)]
        return object.state.contains(.detached) ? nil : object
    }

    /// Up to `limit` objects for which `isWanted` holds, among the next few in the table.
    ///
    /// Each call goes on where the last one stopped, so that a series of calls comes by every object, at a cost that does
    /// not depend on how many there are.
    func lookAround(limit: Int, _ isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
        var found: [ManagedObject] = []
        for _ in 0...min(mask, limit * 4) {
            if found.count >= limit { break }
            if let object = object(at: cursor), isWanted(object) { found.append(object) }
            cursor = (cursor + 1) & mask
        }
        return found
    }
}
