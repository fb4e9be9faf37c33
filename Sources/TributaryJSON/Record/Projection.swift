/// The same few values of many records, found in one walk over each.
///
///     let columns = Projection(["id", "name", "address.street"])
///     var values = ProjectedValues()
///     for record in chunk {
///         columns.project(record, into: &values)
///         let street: String? = values[2].read()
///     }
///
/// Reading a member through `record["name"]` searches the record from its first key. A projection looks at each key
/// once, which pays when several values of each record are wanted.
public struct Projection: Sendable {
    /// What to do with the value of a key.
    private struct Target: Sendable {
        let name: [UInt8]
        /// The place of the value among those found, or -1.
        var slot: Int32 = -1
        /// The table of the members that are wanted of the value, or -1.
        var table: Int32 = -1
    }

    /// The wanted members of one object: a hash table, open addressing.
    private struct Table: Sendable {
        var targets: [Target] = []
        /// Indices into `targets`, or -1; a power of two of them.
        var places: [Int16] = []

        mutating func arrange() {
            let size = max(8, 4 << (Int.bitWidth - targets.count.leadingZeroBitCount))
            places = Array(repeating: -1, count: size)
            for (index, target) in targets.enumerated() {
                let padded = target.name + Array(repeating: 0, count: 8)
                var place = padded.withUnsafeBytes { bytes in
                    bytes.baseAddress.map { Projection.hash($0, target.name.count) & (size - 1) } ?? 0
                }
                while places[place] >= 0 { place = (place + 1) & (size - 1) }
                places[place] = Int16(index)
            }
        }
    }

    private var tables: [Table] = [Table()]
    private let paths: [[String]]
    /// For each path, the place of its value among those found: equal paths share one.
    private let slots: [Int]
    fileprivate let slotCount: Int

    /// How many values are projected.
    public var count: Int { paths.count }

    /// The values at `paths`: keys divided by points.
    ///
    /// To reach keys that contain a point, give each path as an array of keys.
    public init(_ paths: [String]) {
        self.init(paths.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) })
    }

    /// The values at `paths`, each of which is a way of keys from the record inwards.
    public init(_ paths: [[String]]) {
        self.paths = paths
        var known: [[String]: Int] = [:]
        slots = paths.map { path in
            if let slot = known[path] { return slot }
            known[path] = known.count
            return known.count - 1
        }
        slotCount = known.count
        for (path, slot) in known { add(path, slot: Int32(slot)) }
        for index in tables.indices { tables[index].arrange() }
    }

    private mutating func add(_ path: [String], slot: Int32) {
        var table = 0
        for (depth, key) in path.enumerated() {
            let name = Array(key.utf8)
            let found = tables[table].targets.firstIndex { $0.name == name }
            let index = found ?? tables[table].targets.count
            if found == nil { tables[table].targets.append(Target(name: name)) }
            if depth == path.count - 1 {
                tables[table].targets[index].slot = slot
                continue
            }
            if tables[table].targets[index].table < 0 {
                tables[table].targets[index].table = Int32(tables.count)
                tables.append(Table())
            }
            table = Int(tables[table].targets[index].table)
        }
    }

    /// Finds the values of `record`. What it lacks is missing.
    public func project(_ record: Record, into values: inout ProjectedValues) {
        values.prepare(record, slots: slots, slotCount: slotCount)
        let entry = record.storage.entry(record.index)
        guard entry.duplicateKeys == 0 else {
            // Of repeated keys the last one counts, at each level: find the values one by one.
            for (slot, path) in zip(slots, paths) {
                values.words[slot] = Int32(truncatingIfNeeded: path.reduce(record.value) { $0[$1] }.word)
            }
            return
        }
        walk(record.storage, from: Int(entry.tape), table: 0, into: &values.words)
    }

    private func walk(_ storage: ChunkStorage, from object: Int, table: Int, into words: inout [Int32]) {
        guard storage.word(object).kind == .object else { return }
        let tape = storage.block.tape
        let arena = storage.block.bytes
        tables[table].targets.withUnsafeBufferPointer { targets in
            tables[table].places.withUnsafeBufferPointer { places in
                var index = object + 1
                while tape[index].kind != .end {
                    if let target = Projection.find(tape[index], in: targets, places, arena) {
                        if targets[target].slot >= 0 { words[Int(targets[target].slot)] = Int32(index + 1) }
                        let inner = Int(targets[target].table)
                        if inner >= 0 { walk(storage, from: index + 1, table: inner, into: &words) }
                    }
                    index += 1 + tape[index + 1].span
                }
            }
        }
    }

    @inline(__always)
    private static func find(
        _ key: TapeWord, in targets: UnsafeBufferPointer<Target>, _ places: UnsafeBufferPointer<Int16>,
        _ arena: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        guard key.kind == .key else {
            return targets.firstIndex { target in
                target.name.withUnsafeBufferPointer { JSONText.equal(key, $0, in: arena) }
            }
        }
        let bytes = UnsafeRawPointer(arena + key.offset)
        var place = hash(bytes, key.length) & (places.count - 1)
        while places[place] >= 0 {
            let index = Int(places[place])
            if targets[index].name.count == key.length,
                targets[index].name.withUnsafeBufferPointer({ JSONText.equal(key, $0, in: arena) })
            {
                return index
            }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// A hash of the first and the last eight bytes; what lies behind the key may be read, but does not count.
    @inline(__always)
    private static func hash(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        let first = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        let word: UInt64
        if count >= 8 {
            let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
            word = first ^ (last << 29 | last >> 35)
        } else {
            word = count == 0 ? 0 : first & (~0 >> (64 - 8 * UInt64(truncatingIfNeeded: count)))
        }
        let mixed = (word ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40)
    }
}

/// The values that a `Projection` has found in a record; used again for each record.
public struct ProjectedValues {
    fileprivate(set) var words: [Int32] = []
    private var slots: [Int] = []
    private var record: Record?

    /// No values yet.
    public init() {}

    fileprivate mutating func prepare(_ record: Record, slots: [Int], slotCount: Int) {
        self.record = record
        self.slots = slots
        if words.count != slotCount {
            words = Array(repeating: -1, count: slotCount)
        } else {
            for index in words.indices { words[index] = -1 }
        }
    }

    /// The value of the projection's path at `index`; missing if the record has none.
    public subscript(index: Int) -> JSON {
        guard let record else { preconditionFailure("no record has been projected into these values") }
        return JSON(storage: record.storage, record: record.index, word: Int(words[slots[index]]))
    }
}
