/// The same few values of many records, found in one pass over each record.
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
    /// A wanted key, as plain numbers, so that reading one needs no reference counting.
    private struct Target: Sendable {
        /// The bytes of the key among all `names`.
        let name: Range<Int>
        /// The index of its value among the projected values, or -1.
        var slot = -1
        /// The table of the wanted members of its value, or -1.
        var table = -1
        /// Whether it counts only if the member of the path itself is missing.
        var isAlias = false
    }

    /// The wanted members of one object, as a hash table with open addressing.
    private struct Table: Sendable {
        /// The range of its targets in `targets`.
        var targets = 0..<0
        /// The index of its first slot in `hashSlots`.
        var firstHashSlot = 0
        /// One less than the number of its hash slots, which is a power of two.
        var mask = 0
    }

    /// Unsafe pointers to the tables and the record, for one pass.
    private struct Plan {
        let tables: UnsafeBufferPointer<Table>
        let targets: UnsafeBufferPointer<Target>
        let hashSlots: UnsafeBufferPointer<Int32>
        let names: UnsafeBufferPointer<UInt8>
        let tape: UnsafeMutablePointer<TapeWord>
        let arena: UnsafeMutablePointer<UInt8>
        let words: UnsafeMutableBufferPointer<Int32>
        /// The members of the object itself that no path names; empty if they are not wanted.
        let others: UnsafeMutableBufferPointer<Int32>
    }

    /// What a pass has found besides values.
    struct Findings {
        /// The number of members that no path names, also of those that have no room among the others.
        var otherCount = 0
        /// The paths for which two members were found.
        var conflicts: [Int] = []
        /// Whether keys occur twice, so that other members were not counted.
        var hasRepeatedKeys = false
    }

    /// A name that stands for the one of a path.
    package struct Alias: Sendable {
        package let name: String
        let path: Int

        /// Another name of the member at `path`, the index of a path of one key.
        package init(_ name: String, path: Int) { (self.name, self.path) = (name, path) }
    }

    private var tables: [Table] = []
    private var targets: [Target] = []
    /// Indices into `targets`, or -1.
    private var hashSlots: [Int32] = []
    private var names: [UInt8] = []
    /// The paths; nil for one that is ignored, whose value is always missing.
    private let paths: [[String]?]
    private let aliases: [Alias]
    /// Whether members that no path names are listed.
    private let listsOthers: Bool
    /// The indices of duplicate paths, with the index of the first one.
    private var repeated: [(path: Int, first: Int)] = []
    /// The index of the path without keys, which is that of a value that is not an object; -1 if there is none.
    private let whole: Int

    /// How many values are projected.
    public var count: Int { paths.count }

    /// The values at `paths`, each of them keys separated by points.
    ///
    /// To reach keys that contain a point, give each path as an array of keys.
    public init(_ paths: [String]) {
        self.init(paths.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) })
    }

    /// The values at `paths`, each of them the keys from the record inwards; without keys, that of a record that is not
    /// an object.
    public init(_ paths: [[String]]) { self.init(paths, aliases: [], ignored: [], listsOthers: false) }

    /// The values at `paths`; a member with the name of an alias counts where that of the path is missing.
    ///
    /// A value at or inside of a path that is `ignored` is missing. With `listsOthers`, members of the record that neither
    /// a path nor `ignored` names are listed.
    package init(_ paths: [[String]], aliases: [Alias], ignored: [[String]], listsOthers: Bool) {
        let ignored = ignored.filter { !$0.isEmpty }
        func isIgnored(_ path: [String]) -> Bool { ignored.contains { path.starts(with: $0) } }
        self.paths = paths.map { isIgnored($0) ? nil : $0 }
        self.aliases = aliases.filter { !isIgnored([$0.name]) }
        self.listsOthers = listsOthers
        var first: [[String]: Int] = [:]
        for (index, path) in paths.enumerated() where !isIgnored(path) {
            if let known = first[path] { repeated.append((index, known)) } else { first[path] = index }
        }
        whole = first[[]] ?? -1
        let distinct = paths.indices.filter { first[paths[$0]] == $0 && !paths[$0].isEmpty }
        _ = addTable(
            distinct.map { (keys: paths[$0][...], slot: $0) } + ignored.map { (keys: $0[...], slot: -1) },
            self.aliases)
        // Hashing loads eight bytes at once.
        names += Array(repeating: 0, count: 8)
        for index in tables.indices { tables[index] = arrange(tables[index]) }
    }

    /// Adds the table for `wanted`, the remaining keys and the slot of each path, and the tables inside it.
    private mutating func addTable(
        _ wanted: [(keys: ArraySlice<String>, slot: Int)], _ aliases: [Alias] = []
    ) -> Int {
        let index = tables.count
        tables.append(Table())
        var keys: [String] = []
        for case let key? in wanted.map(\.keys.first) where !keys.contains(key) { keys.append(key) }
        let start = targets.count
        let aliases = aliases.filter { !keys.contains($0.name) }
        tables[index].targets = start..<start + keys.count + aliases.count
        for key in keys + aliases.map(\.name) {
            let nameStart = names.count
            names += key.utf8
            targets.append(Target(name: nameStart..<names.count))
        }
        for (offset, alias) in aliases.enumerated() {
            targets[start + keys.count + offset].slot = alias.path
            targets[start + keys.count + offset].isAlias = true
        }
        for (offset, key) in keys.enumerated() {
            let rest = wanted.filter { $0.keys.first == key }.map { (keys: $0.keys.dropFirst(), slot: $0.slot) }
            if let end = rest.first(where: { $0.keys.isEmpty }) { targets[start + offset].slot = end.slot }
            let inner = rest.filter { !$0.keys.isEmpty }
            if !inner.isEmpty { targets[start + offset].table = addTable(inner) }
        }
        return index
    }

    private mutating func arrange(_ table: Table) -> Table {
        var table = table
        let size = max(8, 4 << (Int.bitWidth - table.targets.count.leadingZeroBitCount))
        table.firstHashSlot = hashSlots.count
        table.mask = size - 1
        hashSlots += Array(repeating: -1, count: size)
        for index in table.targets {
            var offset = names.withUnsafeBytes { bytes in
                Projection.hash(bytes, at: targets[index].name.lowerBound, targets[index].name.count) & table.mask
            }
            while hashSlots[table.firstHashSlot + offset] >= 0 { offset = (offset + 1) & table.mask }
            hashSlots[table.firstHashSlot + offset] = Int32(index)
        }
        return table
    }

    /// Finds the values of `record`; those that it lacks are missing.
    public func project(_ record: Record, into values: inout ProjectedValues) {
        let storage = record.storage
        project(storage, record.index, at: Int(storage.entry(record.index).tape), into: &values)
    }

    /// Finds the values of an object inside a record.
    package func project(_ object: JSON, into values: inout ProjectedValues) {
        project(object.storage, object.record, at: object.word, into: &values)
    }

    private func project(_ storage: ChunkStorage, _ record: Int, at object: Int, into values: inout ProjectedValues) {
        values.prepare(storage, record, count: paths.count, listsOthers: listsOthers)
        if whole >= 0, storage.word(object).kind != .object {
            // Beside such a path, the members of an object are missing in another value, and no error.
            values.words[whole] = Int32(truncatingIfNeeded: object)
        } else if storage.entry(record).duplicateKeys == 0 {
            project(storage, from: object, into: &values)
        } else {
            values.findings.hasRepeatedKeys = true
            // The last one of duplicate keys counts at each level, so the values are found one by one.
            let json = JSON(storage: storage, record: record, word: object)
            for case (let index, let path?) in paths.enumerated() where index != whole {
                values.words[index] = Projection.word(at: path, of: json)
            }
            for alias in aliases where values.words[alias.path] == -1 {
                values.words[alias.path] = Projection.word(at: [alias.name], of: json)
            }
        }
        for (path, first) in repeated { values.words[path] = values.words[first] }
    }

    private static func word(at path: [String], of object: JSON) -> Int32 {
        var value = object
        for name in path {
            guard value.kind == .object else {
                return value.kind == .null || value.word < 0 ? -1 : ProjectedValues.obstacle(value.word)
            }
            value = value[name]
        }
        return value.word < 0 ? -1 : Int32(truncatingIfNeeded: value.word)
    }

    private func project(_ storage: ChunkStorage, from object: Int, into values: inout ProjectedValues) {
        tables.withUnsafeBufferPointer { tables in
            targets.withUnsafeBufferPointer { targets in
                hashSlots.withUnsafeBufferPointer { hashSlots in
                    names.withUnsafeBufferPointer { names in
                        values.words.withUnsafeMutableBufferPointer { words in
                            values.others.withUnsafeMutableBufferPointer { others in
                                let plan = Plan(
                                    tables: tables, targets: targets, hashSlots: hashSlots, names: names,
                                    tape: storage.tape, arena: storage.arena, words: words, others: others)
                                Projection.walk(plan, from: object, table: 0, &values.findings)
                            }
                        }
                    }
                }
            }
        }
    }

    private static func walk(_ plan: Plan, from object: Int, table: Int, _ findings: inout Findings) {
        guard plan.tape[object].kind == .object else {
            if plan.tape[object].kind != .null { markUnreachable(plan, below: table, by: object, in: plan.words) }
            return
        }
        let listsOthers = table == 0 && !plan.others.isEmpty
        var index = object + 1
        while plan.tape[index].kind != .end {
            if let target = find(plan.tape[index], in: plan.tables[table], of: plan) {
                let slot = plan.targets[target].slot
                if slot >= 0 {
                    if plan.words[slot] != -1 { findings.conflicts.append(slot) }
                    if !plan.targets[target].isAlias || plan.words[slot] == -1 {
                        plan.words[slot] = Int32(index + 1)
                    }
                }
                let inner = plan.targets[target].table
                if inner >= 0 { walk(plan, from: index + 1, table: inner, &findings) }
            } else if listsOthers {
                if findings.otherCount < plan.others.count { plan.others[findings.otherCount] = Int32(index) }
                findings.otherCount += 1
            }
            index += 1 + plan.tape[index + 1].span
        }
    }

    /// Marks all values below `table` as unreachable, because the value at `obstacle` is not an object.
    private static func markUnreachable(
        _ plan: Plan, below table: Int, by obstacle: Int, in words: UnsafeMutableBufferPointer<Int32>
    ) {
        for target in plan.tables[table].targets {
            if plan.targets[target].slot >= 0 { words[plan.targets[target].slot] = ProjectedValues.obstacle(obstacle) }
            if plan.targets[target].table >= 0 {
                markUnreachable(plan, below: plan.targets[target].table, by: obstacle, in: words)
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
        var offset = hash(bytes, at: key.offset, key.length) & table.mask
        while plan.hashSlots[table.firstHashSlot + offset] >= 0 {
            let target = Int(plan.hashSlots[table.firstHashSlot + offset])
            if plan.targets[target].name.count == key.length, isKey(target) { return target }
            offset = (offset + 1) & table.mask
        }
        return nil
    }

    /// A hash of the first and the last eight bytes; bytes after the key may be loaded, but do not count.
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
