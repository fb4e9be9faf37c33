package import TributarySQLite

/// The keys of many records, sorted as the store sorts them, and grouped by equality.
///
///     records   7  2  7  –  5          order    1 4 0 2        (record 3 has none)
///     group     2  0  2  –  1          groups   2 · 5 · 7
package struct SortedKeys {
    package private(set) var columns: [KeyColumn]
    /// The values of a single integer column, as most keys have; otherwise the array is empty and `numberSlot` is -1.
    ///
    /// This copy serves calls for each of a million records: an access to `columns` counts references.
    private var numbers: [Int64] = []
    private var numberSlot = -1
    /// For each record the index of its key among the distinct ones; -1 for a record without a key.
    package private(set) var group: [Int32] = []
    /// For each distinct key, in sort order, the index of a record that has it.
    package private(set) var samples: [Int32] = []
    /// The indexes of the records that have a key, until the keys are sorted.
    private var valid: [Int32] = []
    private var isAscending = true
    private var count = 0

    /// No keys yet, of `attributes`.
    package init(_ attributes: [AttributeProperty], capacity: Int = 0) {
        columns = attributes.map { KeyColumn($0, capacity: capacity) }
        valid.reserveCapacity(capacity)
    }

    /// The number of distinct keys.
    package var groupCount: Int { samples.count }

    /// Adds the key of the next record; none if it is null.
    @inline(__always)
    package mutating func append(_ value: SQLValue) {
        let isValid = columns[0].append(value)
        if isValid { valid.append(Int32(truncatingIfNeeded: count)) }
        count += 1
    }

    /// Adds the next record, which has no key.
    package mutating func appendNothing() {
        for index in columns.indices { _ = columns[index].append(.null) }
        count += 1
    }

    /// Adds the key of several attributes of the next record; none if one of them is null.
    package mutating func append(_ values: [SQLValue]) {
        var isValid = true
        for index in columns.indices where !columns[index].append(values[index]) { isValid = false }
        if isValid { valid.append(Int32(truncatingIfNeeded: count)) }
        count += 1
    }

    // MARK: Sorting

    /// Sorts and groups the keys; to be called once, after all keys were added.
    package mutating func sort() {
        group = Array(repeating: -1, count: count)
        samples.reserveCapacity(valid.count)
        if columns.count == 1, columns[0].form == .integer {
            (numbers, numberSlot) = (columns[0].integers, columns[0].attribute.slot)
            sortIntegers()
        } else if columns.count == 1, columns[0].form == .bytes {
            sortBytes()
        } else {
            let sorted = valid.sorted { one, other in
                let order = order(Int(one), Int(other))
                return order == 0 ? one < other : order < 0
            }
            for index in sorted {
                assignGroup(of: index, isNew: samples.last.map { order(Int($0), Int(index)) != 0 } ?? true)
            }
        }
        valid = []
    }

    private mutating func assignGroup(of index: Int32, isNew: Bool) {
        if isNew { samples.append(index) }
        group[Int(index)] = Int32(truncatingIfNeeded: samples.count - 1)
    }

    private mutating func sortIntegers() {
        var keys = valid.map { (key: numbers[Int($0)], index: $0) }
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0.key <= $1.key }
        if !isSorted { keys.sort { $0.key != $1.key ? $0.key < $1.key : $0.index < $1.index } }
        var last: Int64?
        for (key, index) in keys {
            assignGroup(of: index, isNew: key != last)
            last = key
        }
    }

    /// Sorts by the first eight bytes, and by the others only if these are equal.
    private mutating func sortBytes() {
        let column = columns[0]
        var keys = valid.map { index -> (head: UInt64, index: Int32) in
            var head: UInt64 = 0
            let range = column.range(Int(index))
            for offset in 0..<8 {
                head = head << 8 | (offset < range.count ? UInt64(column.bytes[range.lowerBound + offset]) : 0)
            }
            return (head, index)
        }
        func isBefore(_ one: (head: UInt64, index: Int32), _ other: (head: UInt64, index: Int32)) -> Bool {
            if one.head != other.head { return one.head < other.head }
            let order = column.order(Int(one.index), Int(other.index))
            return order == 0 ? one.index < other.index : order < 0
        }
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { isBefore($0, $1) }
        if !isSorted { keys.sort(by: isBefore) }
        var last: (head: UInt64, index: Int32)?
        for key in keys {
            let isSame = last.map { $0.head == key.head && column.order(Int($0.index), Int(key.index)) == 0 } ?? false
            assignGroup(of: key.index, isNew: !isSame)
            last = key
        }
    }

    private func order(_ one: Int, _ other: Int) -> Int {
        for column in columns {
            let order = column.order(one, other)
            if order != 0 { return order }
        }
        return 0
    }

    // MARK: Rows

    /// The order of the key of a record relative to the key in a row; nil if that has a null value.
    @inline(__always)
    package func order(_ record: Int, _ row: Row) -> Int? {
        if numberSlot >= 0 {
            guard row.kind(numberSlot) == .integer else { return nil }
            return KeyColumn.order(numbers[record], row.integer(numberSlot))
        }
        if columns.count == 1 { return columns[0].order(record, row) }
        var result = 0
        for column in columns {
            guard let order = column.order(record, row) else { return nil }
            if result == 0 { result = order }
        }
        return result
    }

    /// The group of the key in a row, comparing the group `guess` first; nil if no record has the key.
    package func find(_ row: Row, near guess: Int) -> Int? {
        if samples.indices.contains(guess) {
            guard let order = order(Int(samples[guess]), row) else { return nil }
            if order == 0 { return guess }
        }
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            guard let order = order(Int(samples[middle]), row) else { return nil }
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The values of the key of a group.
    package func parts(of group: Int) -> [KeyPart] {
        let sample = Int(samples[group])
        if numberSlot >= 0 { return [.integer(numbers[sample])] }
        return columns.map { $0.part(sample) }
    }

    /// Writes the key of a record to a row.
    @inline(__always)
    package func write(_ record: Int, to row: Row) {
        if numberSlot >= 0 { return row.set(numbers[record], numberSlot) }
        for column in columns { column.write(record, to: row) }
    }

    /// Whether most rows are as far apart as the records that have their keys; `key` returns the key of a group's row,
    /// or 0 if there is none.
    package func areInOrder(_ key: (Int) -> Int64) -> Bool {
        var (count, fits) = (0, 0)
        var last: (record: Int, key: Int64)?
        for (record, group) in group.enumerated() where group >= 0 && samples[Int(group)] == record {
            let key = key(Int(group))
            guard key > 0 else { continue }
            if let last {
                count += 1
                if key - last.key == Int64(record - last.record) { fits += 1 }
            }
            last = (record, key)
        }
        return fits > 8 && fits * 4 >= count * 3
    }

    /// The group of the record after the sample of `group`.
    package func successor(of group: Int) -> Int {
        let next = Int(samples[group]) + 1
        return next < self.group.count ? Int(self.group[next]) : -1
    }

    // MARK: Cells

    /// The order in which the keys are passed to a query.
    package enum Order {
        case ascending, descending
        /// The order of the records, with the index of the record after each key.
        case records
    }

    /// Calls `body` with the cells of the distinct keys, one key after the other, and the number of cells of each key.
    package func withCells<Result>(
        _ wanted: Order, _ body: (UnsafeBufferPointer<SQLCell>, Int) throws -> Result
    ) rethrows -> Result {
        let width = columns.count + (wanted == .records ? 1 : 0)
        let order: [Int32] =
            switch wanted {
            case .ascending: samples
            case .descending: samples.reversed()
            case .records: samples.sorted()
            }
        var cells = Array(repeating: SQLCell.null, count: order.count * width)
        // Recursive, because the text of a column is valid only inside its `withCells`.
        func spread(from index: Int) throws -> Result {
            guard index < columns.count else {
                if wanted == .records {
                    for (position, sample) in order.enumerated() {
                        cells[position * width + index] = SQLCell(Int64(sample))
                    }
                }
                return try cells.withUnsafeBufferPointer { try body($0, width) }
            }
            return try columns[index].withCells { cell in
                for (position, sample) in order.enumerated() { cells[position * width + index] = cell(Int(sample)) }
                return try spread(from: index + 1)
            }
        }
        return try spread(from: 0)
    }
}
