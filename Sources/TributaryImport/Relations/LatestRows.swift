/// The latest row of each key of a chunk, by the hash of the key.
struct LatestRows {
    private struct Entry {
        let hash: UInt64
        let row: Int32
    }

    private var entries = [Entry](repeating: Entry(hash: 0, row: -1), count: 64)
    private var count = 0

    private func place(of hash: UInt64) -> Int {
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while entries[place].row >= 0, entries[place].hash != hash { place = (place + 1) & mask }
        return place
    }

    /// The latest row of a key; nil if there is none.
    func row(of hash: UInt64) -> Int32? {
        let row = entries[place(of: hash)].row
        return row < 0 ? nil : row
    }

    /// Makes a row the latest one of its key.
    mutating func set(_ row: Int32, of hash: UInt64) {
        let known = place(of: hash)
        if entries[known].row < 0 { count += 1 }
        entries[known] = Entry(hash: hash, row: row)
        guard 2 * count > entries.count else { return }
        let earlier = entries
        entries = [Entry](repeating: Entry(hash: 0, row: -1), count: earlier.count * 4)
        for entry in earlier where entry.row >= 0 { entries[place(of: entry.hash)] = entry }
    }
}
