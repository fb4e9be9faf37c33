import TributaryPlatform

/// Counts the values outside of the record paths, between the records of an arena.
///
/// Reading may resume after any record, so values are kept by the number of records before them until these are part of
/// a chunk.
struct OutsideCounter {
    /// The values of one path and type between two records.
    private struct Value {
        var after: Int
        /// The index of the path, or -1 for any beyond the limits.
        let path: Int
        var values: OutsideValues
    }

    /// The values before the latest chunk.
    private(set) var report: OutsideReport
    private var values: [Value] = []
    /// The keys on each path, with the byte 0xFF after a key and 0xFE for an array, neither of which is in UTF-8.
    private var keys: [[UInt8]] = []
    private var paths: [String] = []
    /// The path that probably comes next: most records have the same values around them.
    private var likely = 0

    init(_ report: OutsideReport) { self.report = report }

    /// Adds a value in the innermost of the containers `frames`, with `after` records of the arena before it.
    mutating func add(
        _ value: OutsideValues, _ frames: UnsafeBufferPointer<ParserCore.Frame>,
        keyBytes: UnsafeMutablePointer<UInt8>, after: Int
    ) {
        let path = index(of: frames, keyBytes)
        var place = values.count - 1
        while place >= 0, values[place].after == after {
            if values[place].path == path, values[place].values.kind == value.kind {
                return values[place].values.add(value)
            }
            place -= 1
        }
        values.append(Value(after: after, path: path, values: value))
    }

    /// Counts the values before the record at `end` of the arena, after which reading may resume.
    mutating func count(before end: Int) {
        let known = values.prefix { $0.after < end }
        add(known, to: &report)
        values.removeFirst(known.count)
    }

    /// Continues in a new arena, before its first record.
    mutating func beginArena() { for place in values.indices { values[place].after = 0 } }

    /// All values so far.
    var total: OutsideReport {
        var total = report
        add(values[...], to: &total)
        return total
    }

    private func add(_ values: ArraySlice<Value>, to report: inout OutsideReport) {
        // Summed by path first, because a report is searched by the text of a path.
        var sums: [Value] = []
        var places: [OutsideValues.Kind: [Int: Int]] = [:]
        for value in values {
            if let place = places[value.values.kind]?[value.path] {
                sums[place].values.add(value.values)
            } else {
                places[value.values.kind, default: [:]][value.path] = sums.count
                sums.append(value)
            }
        }
        for sum in sums { report.add(sum.path < 0 ? nil : paths[sum.path], sum.values) }
    }

    // MARK: Paths

    private mutating func index(
        of frames: UnsafeBufferPointer<ParserCore.Frame>, _ keyBytes: UnsafeMutablePointer<UInt8>
    ) -> Int {
        for offset in keys.indices {
            let index = (likely + offset) % keys.count
            guard matches(keys[index], frames, keyBytes) else { continue }
            likely = index + 1
            return index
        }
        let length = frames.reduce(0) { $0 + ($1.isObject ? $1.keyCount : 0) + 1 }
        guard keys.count < OutsideReport.maximumCount, length <= OutsideReport.maximumPathBytes else { return -1 }
        var bytes: [UInt8] = []
        var components: [RecordPath.Component] = []
        for frame in frames {
            let key = UnsafeBufferPointer(start: keyBytes + frame.keyStart, count: frame.isObject ? frame.keyCount : 0)
            bytes += key
            bytes.append(frame.isObject ? 0xFF : 0xFE)
            components.append(frame.isObject ? .key(String(decoding: key, as: UTF8.self)) : .elements)
        }
        keys.append(bytes)
        paths.append(RecordPath(components: components).description)
        return keys.count - 1
    }

    private func matches(
        _ bytes: [UInt8], _ frames: UnsafeBufferPointer<ParserCore.Frame>, _ keyBytes: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return frames.isEmpty }
            var place = 0
            for frame in frames {
                let count = frame.isObject ? frame.keyCount : 0
                guard place + count < bytes.count, bytes[place + count] == (frame.isObject ? 0xFF : 0xFE),
                    memcmp(start + place, keyBytes + frame.keyStart, count) == 0
                else { return false }
                place += count + 1
            }
            return place == bytes.count
        }
    }
}
