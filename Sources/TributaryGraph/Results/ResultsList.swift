import Foundation

/// The rows of a controller in their order: keys and the values of the sort keys, without objects.
///
/// A row has a slot, in which its key and values stay. The order is an array of slots, so that inserting and removing
/// rows moves 4 bytes for each row behind them. A row is found by comparing values, because its position shifts:
///
///     key ──slots──▶ slot ──keys, values──▶ binary search in `order` ──▶ position ──sections──▶ section and item
///
/// A row costs about 60 bytes, plus 40 for each sort key and what a long text needs.
struct ResultsList: Sendable {
    struct Section: Sendable, Hashable {
        let name: String
        let start: Int
    }

    let query: ResultsQuery
    /// The slots of the rows, in their order.
    var order: [Int32] = []
    /// The sections in their order; one without rows if the results have no sections.
    var sections: [Section]
    /// Whether two sections have one name, so that changes of sections cannot be reported by name.
    var hasRepeatedSections = false
    var slots: [Int64: Int32] = [:]
    private var free: [Int32] = []
    private(set) var keys: [Int64] = []
    private(set) var entities: [Int32] = []
    /// The values of all slots, one for each sort key.
    private var values: [FilterValue] = []

    init(_ query: ResultsQuery) {
        self.query = query
        sections = query.hasSections ? [] : [Section(name: "", start: 0)]
    }

    mutating func reserve(_ count: Int) {
        order.reserveCapacity(count)
        slots.reserveCapacity(count)
        keys.reserveCapacity(count)
        entities.reserveCapacity(count)
        values.reserveCapacity(count * query.sort.count)
    }

    /// Adds a row at the end; `arrange` must follow.
    mutating func append(_ row: ResultsEdit.Row) { if slots[row.key] == nil { order.append(take(row)) } }

    /// Brings appended rows into their order and their sections.
    mutating func arrange() {
        // Rows of the store are in order already, unless others were written while they were read.
        if !zip(order, order.dropFirst()).allSatisfy({ isBefore($0, $1) }) {
            order = order.sorted { isBefore($0, $1) }
        }
        guard query.hasSections else { return }
        sections = []
        for (position, slot) in order.enumerated() {
            // Rows of one section mostly have equal values.
            if position > 0, order(order[position - 1], slot, at: 0) == .orderedSame { continue }
            let name = name(slot)
            if sections.last?.name != name { sections.append(Section(name: name, start: position)) }
        }
        hasRepeatedSections = Set(sections.lazy.map(\.name)).count < sections.count
    }

    // MARK: Reading

    var count: Int { order.count }

    func row(at position: Int) -> (key: Int64, entity: Int) {
        let slot = Int(order[position])
        return (keys[slot], Int(entities[slot]))
    }

    func contains(_ key: Int64) -> Bool { slots[key] != nil }

    /// The position of the row with a key; nil if there is none.
    func position(of key: Int64) -> Int? { slots[key].map(position(of:)) }

    func positions(ofSection index: Int) -> Range<Int> {
        sections[index].start..<(index + 1 < sections.count ? sections[index + 1].start : count)
    }

    func path(of position: Int) -> ResultsIndexPath { ResultsList.path(of: position, in: sections) }

    static func path(of position: Int, in sections: [Section]) -> ResultsIndexPath {
        let section = sections.partitionPoint { $0.start > position } - 1
        return ResultsIndexPath(section: section, item: position - sections[section].start)
    }

    // MARK: Order

    func name(_ slot: Int32) -> String { query.name(of: values[Int(slot) * query.sort.count]) }

    private func order(_ one: Int32, _ other: Int32, at index: Int) -> ComparisonResult {
        let width = query.sort.count
        return query.sort[index].order(values[Int(one) * width + index], values[Int(other) * width + index])
    }

    /// Whether a row comes before another one; with equal values, rows of the store come first, by key, then new ones.
    func isBefore(_ one: Int32, _ other: Int32) -> Bool {
        for index in query.sort.indices {
            let result = order(one, other, at: index)
            if result != .orderedSame { return result == .orderedAscending }
        }
        let (key, otherKey) = (keys[Int(one)], keys[Int(other)])
        return (key > 0) == (otherKey > 0) ? key.magnitude < otherKey.magnitude : key > 0
    }

    func position(of slot: Int32) -> Int { order.partitionPoint { !isBefore($0, slot) } }

    func hasEqualValues(_ slot: Int32, _ row: ResultsEdit.Row) -> Bool {
        let start = Int(slot) * query.sort.count
        return keys[Int(slot)] == row.key
            && query.sort.indices.allSatisfy {
                query.sort[$0].order(values[start + $0], row.values[$0]) == .orderedSame
            }
    }

    // MARK: Slots

    mutating func take(_ row: ResultsEdit.Row) -> Int32 {
        if let slot = free.popLast() {
            set(row, slot)
            return slot
        }
        let slot = Int32(keys.count)
        keys.append(row.key)
        entities.append(Int32(row.entity))
        values += row.values
        slots[row.key] = slot
        return slot
    }

    mutating func set(_ row: ResultsEdit.Row, _ slot: Int32) {
        keys[Int(slot)] = row.key
        entities[Int(slot)] = Int32(row.entity)
        let start = Int(slot) * query.sort.count
        values.replaceSubrange(start..<start + query.sort.count, with: row.values)
        slots[row.key] = slot
    }

    /// Frees the slot of a row that left the order.
    mutating func release(_ slot: Int32) {
        let start = Int(slot) * query.sort.count
        for index in query.sort.indices { values[start + index] = .null }
        slots[keys[Int(slot)]] = nil
        free.append(slot)
    }
}
