import TributaryGraph

/// The rows that the store must hold, as plain dictionaries in which "-" stands for no value.
struct MergeOracle {
    /// The attributes and to-one relationships of each clerk, by its ID.
    private(set) var columns: [Int: [String: String]] = [:]
    /// The ordered relationship of each clerk.
    private var queues: [Int: [Int]] = [:]
    /// The pairs of the many-to-many relationship, the lesser ID first.
    private var pairs: Set<[Int]> = []

    static func list(_ ids: [Int]) -> String { ids.map { "\($0)" }.joined(separator: " ") }

    mutating func insert(_ id: Int, _ values: [String: String] = [:]) {
        columns[id] = ["name": "-", "hours": "2", "rate": "3", "guide": "-", "chief": "-", "line": "-", "mentor": "-"]
        set(id, values)
    }

    mutating func set(_ id: Int, _ values: [String: String]) { columns[id]?.merge(values) { _, value in value } }

    mutating func link(_ others: [Int], to id: Int, by relation: MergeCase.Relation) {
        for other in others {
            switch relation {
            case .attributesOnly: break
            case .toOne, .toMany: set(other, ["chief": "\(id)"])
            case .manyToMany: pairs.insert([min(id, other), max(id, other)])
            case .ordered:
                set(other, ["line": "\(id)"])
                queues[id, default: []].append(other)
            case .unchecked: set(other, ["mentor": "\(id)", "guide": "\(id)"])
            case .path: set(id, ["guide": "\(other)"])
            }
        }
    }

    /// Moves the last clerk of an ordered relationship to its beginning.
    mutating func rotateQueue(of id: Int) {
        if let last = queues[id]?.popLast() { queues[id]?.insert(last, at: 0) }
    }

    /// Merges the object of clerk 1 into its row, and adds the links that the context has made.
    ///
    /// `object` has the values of the object, and `base` those that it was loaded with, nil for a new object. With the
    /// error policy, the conflict was resolved by a refresh that keeps the changes of the object.
    mutating func merge(
        _ object: MergeOracle, loadedWith base: MergeOracle?, linking others: [Int], _ test: MergeCase
    ) {
        let stored = columns[1] ?? [:]
        var result = stored
        for (column, value) in object.columns[1] ?? [:] {
            let isChangedHere = base == nil || base?.columns[1]?[column] != value
            let isChangedInStore = base == nil || base?.columns[1]?[column] != stored[column]
            let objectWins: Bool
            switch test.policy {
            case .error, .objectTrump: objectWins = isChangedHere
            case .storeTrump: objectWins = isChangedHere && !isChangedInStore
            case .overwrite: objectWins = true
            case .rollback: objectWins = false
            }
            if objectWins { result[column] = value }
        }
        link(others, to: 1, by: test.relation)
        columns[1] = result
    }

    /// All properties of all clerks; the order of `queue` leaves out the IDs in `others`.
    func rows(ignoring others: Set<Int> = []) -> [Int: [String: String]] {
        var rows = columns
        for (id, row) in columns {
            for (list, column) in [("staff", "chief"), ("queued", "line"), ("students", "mentor")] {
                let sources = columns.filter { $0.value[column] == "\(id)" }.keys.sorted()
                rows[id]?[list] = Self.list(sources)
                if list != "students" { rows[id]?["\(list)Count"] = "\(sources.count)" }
            }
            let name = row["name"] ?? "-"
            let pay = (Int(row["hours"] ?? "") ?? 0) * (Int(row["rate"] ?? "") ?? 0)
            let friends = pairs.filter { $0.contains(id) }.flatMap { $0 }.filter { $0 != id }
            rows[id]?["pay"] = "\(pay)"
            rows[id]?["searchName"] = name.lowercased()
            rows[id]?["loudName"] = name.uppercased()
            rows[id]?["guideID"] = row["guide"]
            rows[id]?["friends"] = Self.list(friends.sorted())
            rows[id]?["queue"] = Self.list((queues[id] ?? []).filter { !others.contains($0) })
        }
        return rows
    }
}
