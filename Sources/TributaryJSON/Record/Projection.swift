/// The same few values of many records, found in one walk over each.
///
///     let columns = Projection(["id", "name", "address.street"])
///     var values = ProjectedValues()
///     for record in chunk {
///         columns.project(record, into: &values)
///         let street: String? = values[2]
///     }
///
/// Reading a member through `record["name"]` searches the record from its first key. A projection looks at each key
/// once, which pays when several values of each record are wanted.
public struct Projection: Sendable {
    /// What to do with the value of a key; plain numbers, so that looking at one costs no counting of references.
    private struct Target: Sendable {
        /// The bytes of the key among all `names`.
        let name: Range<Int>
        /// The place of the value among those found, or -1.
        var slot = -1
        /// The table of the members that are wanted of the value, or -1.
        var table = -1
    }

    /// The wanted members of one object: a hash table, open addressing.
    private struct Table: Sendable {
        /// Its targets among all.
        var targets = 0..<0
        /// Its first place among all `places`.
        var firstPlace = 0
        /// One less than the number of its places, a power of two.
        var mask = 0
    }

    /// What a walk needs, as memory.
    private struct Plan {
        let tables: UnsafeBufferPointer<Table>
        let targets: UnsafeBufferPointer<Target>
        let places: UnsafeBufferPointer<Int32>
        let names: UnsafeBufferPointer<UInt8>
        let tape: UnsafeMutablePointer<TapeWord>
        let arena: UnsafeMutablePointer<UInt8>
    }

    private var tables: [Table] = []
    private var targets: [Target] = []
    /// Indices into `targets`, or -1.
    private var places: [Int32] = []
    private var names: [UInt8] = []
    private let paths: [[String]]
    /// Paths that repeat an earlier one, and which.
    private var repeated: [(path: Int, first: Int)] = []

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
        var first: [[String]: Int] = [:]
        for (index, path) in paths.enumerated() {
            if let known = first[path] { repeated.append((index, known)) } else { first[path] = index }
        }
        let distinct = paths.indices.filter { first[paths[$0]] == $0 }
        _ = addTable(distinct.map { (keys: paths[$0][...], slot: $0) })
        // Readers load eight bytes at once.
        names += Array(repeating: 0, count: 8)
        for index in tables.indices { tables[index] = arrange(tables[index]) }
    }

    /// Adds the table for `wanted`, the rest of each way and where its value goes, and those inside of it.
    private mutating func addTable(_ wanted: [(keys: ArraySlice<String>, slot: Int)]) -> Int {
        let index = tables.count
        tables.append(Table())
        var keys: [String] = []
        for case let key? in wanted.map(\.keys.first) where !keys.contains(key) { keys.append(key) }
        let start = targets.count
        tables[index].targets = start..<start + keys.count
        for key in keys {
            let nameStart = names.count
            names += key.utf8
            targets.append(Target(name: nameStart..<names.count))
        }
        for (offset, key) in keys.enumerated() {
            let rest = wanted.filter { $0.keys.first == key }.map { (keys: $0.keys.dropFirst(), slot: $0.slot) }
            if let end = rest.first(where: { $0.keys.isEmpty }) { targets[start + offset].slot = end.slot }
            let inner = rest.filter { !$0.keys.isEmpty }
            if !inner.isEmpty { targets[start + offset].table = addTable(inner) }
        }
        return index
    }

    /// Gives `table` its places.
    private mutating func arrange(_ table: Table) -> Table {
        var table = table
        let size = max(8, 4 << (Int.bitWidth - table.targets.count.leadingZeroBitCount))
        table.firstPlace = places.count
        table.mask = size - 1
        places += Array(repeating: -1, count: size)
        for index in table.targets {
            var place = names.withUnsafeBytes { bytes in
                Projection.hash(bytes, at: targets[index].name.lowerBound, targets[index].name.count) & table.mask
            }
            while places[table.firstPlace + place] >= 0 { place = (place + 1) & table.mask }
            places[table.firstPlace + place] = Int32(index)
        }
        return table
    }

    /// Finds the values of `record`.
    ///
    /// What it lacks is missing.
    public func project(_ record: Record, into values: inout ProjectedValues) {
        let storage = record.storage
        values.prepare(storage, record.index, count: paths.count)
        let entry = storage.entry(record.index)
        if entry.duplicateKeys == 0 {
            project(storage, from: Int(entry.tape), into: &values.words)
        } else {
            // Of repeated keys the last one counts, at each level: find the values one by one.
            for (index, path) in paths.enumerated() {
                values.words[index] = Projection.word(at: path, of: record)
            }
        }
        for (path, first) in repeated { values.words[path] = values.words[first] }
    }

    private static func word(at path: [String], of record: Record) -> Int32 {
        var value = record.value
        for name in path {
            guard value.kind == .object else {
                return value.kind == .null || value.word < 0 ? -1 : ProjectedValues.obstacle(value.word)
            }
            value = value[name]
        }
        return value.word < 0 ? -1 : Int32(truncatingIfNeeded: value.word)
    }

    private func project(_ storage: ChunkStorage, from object: Int, into words: inout [Int32]) {
        tables.withUnsafeBufferPointer { tables in
            targets.withUnsafeBufferPointer { targets in
                places.withUnsafeBufferPointer { places in
                    names.withUnsafeBufferPointer { names in
                        let plan = Plan(
                            tables: tables, targets: targets, places: places, names: names, tape: storage.tape,
                            arena: storage.arena)
                        words.withUnsafeMutableBufferPointer {
                            Projection.walk(plan, from: object, table: 0, into: $0)
                        }
                    }
                }
            }
        }
    }

    private static func walk(
        _ plan: Plan, from object: Int, table: Int, into words: UnsafeMutableBufferPointer<Int32>
    ) {
        guard plan.tape[object].kind == .object else {
            if plan.tape[object].kind != .null { spoil(plan, below: table, by: object, in: words) }
            return
        }
        var index = object + 1
        while plan.tape[index].kind != .end {
            if let target = find(plan.tape[index], in: plan.tables[table], of: plan) {
                if plan.targets[target].slot >= 0 { words[plan.targets[target].slot] = Int32(index + 1) }
                let inner = plan.targets[target].table
                if inner >= 0 { walk(plan, from: index + 1, table: inner, into: words) }
            }
            index += 1 + plan.tape[index + 1].span
        }
    }

    /// Notes for all values below `table` that something else than an object stands in their way.
    private static func spoil(
        _ plan: Plan, below table: Int, by obstacle: Int, in words: UnsafeMutableBufferPointer<Int32>
    ) {
        for target in plan.tables[table].targets {
            if plan.targets[target].slot >= 0 { words[plan.targets[target].slot] = ProjectedValues.obstacle(obstacle) }
            if plan.targets[target].table >= 0 {
                spoil(plan, below: plan.targets[target].table, by: obstacle, in: words)
            }
        }
    }

    @inline(__always)
    private static func find(_ key: TapeWord, in table: Table, of plan: Plan) -> Int? {
        func isKey(_ target: Int) -> Bool {
            JSONText.equal(key, UnsafeBufferPointer(rebasing: plan.names[plan.targets[target].name]), in: plan.arena)
        }
        guard key.kind == .key else { return table.targets.first(where: isKey) }
        let bytes = UnsafeRawBufferPointer(start: plan.arena, count: key.offset + key.length + Block.padding)
        var place = hash(bytes, at: key.offset, key.length) & table.mask
        while plan.places[table.firstPlace + place] >= 0 {
            let target = Int(plan.places[table.firstPlace + place])
            if plan.targets[target].name.count == key.length, isKey(target) { return target }
            place = (place + 1) & table.mask
        }
        return nil
    }

    /// A hash of the first and the last eight bytes; what lies behind the key may be read, but does not count.
    @inline(__always)
    private static func hash(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ count: Int) -> Int {
        let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let word: UInt64
        if count >= 8 {
            let end = bytes.loadUnaligned(fromByteOffset: offset + count - 8, as: UInt64.self)
            let last = UInt64(littleEndian: end)
            word = first ^ (last << 29 | last >> 35)
        } else {
            word = count == 0 ? 0 : first & (~0 >> (64 - 8 * UInt64(truncatingIfNeeded: count)))
        }
        let mixed = (word ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40)
    }
}
