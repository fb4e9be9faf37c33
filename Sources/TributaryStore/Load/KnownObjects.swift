/// The objects that a load has written, by fingerprints of their keys, in a limited amount of memory.
package final class KnownObjects {
    /// What is known of an object.
    struct Entry {
        /// The fingerprint of its key.
        let check: UInt64
        /// The fingerprint of its values.
        let content: UInt64
        /// Its primary key; 0 for a free place.
        let key: Int64
    }

    private var entries: UnsafeMutableBufferPointer<Entry>
    private var count = 0
    private let room: Room

    /// The memory that the objects of several tables share.
    package final class Room {
        fileprivate var bytes: Int

        package init(bytes: Int) { self.bytes = bytes }
    }

    /// An empty set, which takes as much room as it needs while there is some.
    init(in room: Room) {
        self.room = room
        entries = KnownObjects.makeEntries(1 << 8)
    }

    deinit { entries.deallocate() }

    private static func makeEntries(_ count: Int) -> UnsafeMutableBufferPointer<Entry> {
        let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: count)
        entries.initialize(repeating: Entry(check: 0, content: 0, key: 0))
        return entries
    }

    private func place(of check: UInt64, in entries: UnsafeMutableBufferPointer<Entry>) -> Int {
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: check) & mask
        while entries[place].key != 0, entries[place].check != check { place = (place + 1) & mask }
        return place
    }

    /// The object with a key; nil if it is not known.
    func entry(of check: UInt64) -> Entry? {
        let entry = entries[place(of: check, in: entries)]
        return entry.key == 0 ? nil : entry
    }

    /// Adds an object, unless there is no room.
    func insert(_ entry: Entry) {
        if 4 * (count + 1) > 3 * entries.count {
            // The smaller entries exist until they are copied.
            let added = entries.count * MemoryLayout<Entry>.stride
            guard 2 * added <= room.bytes else { return }
            room.bytes -= added
            let larger = KnownObjects.makeEntries(entries.count * 2)
            for entry in entries where entry.key != 0 { larger[place(of: entry.check, in: larger)] = entry }
            entries.deallocate()
            entries = larger
        }
        entries[place(of: entry.check, in: entries)] = entry
        count += 1
    }
}
