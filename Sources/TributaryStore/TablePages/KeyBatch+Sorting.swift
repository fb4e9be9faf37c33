import TributarySQLite

/// Sorting entries in memory, by eight bytes of their order at a time.
///
/// Whole values are compared only where few entries are left that agree so far. Entries come with ascending rows, and
/// every sort here is stable, so entries with equal values keep the order of their rows.
extension KeyBatch {
    /// Entries that agree in the columns before `column`, and in its first `offset` bytes.
    private struct Run {
        let range: Range<Int>
        let column: Int
        let offset: Int
    }

    /// Eight bytes of the order of an entry, and its index.
    private struct Word {
        let bits: UInt64
        let index: Int
    }

    /// The largest run whose entries are compared by their values.
    private static let smallRun = 12
    /// The least number of words for which a radix sort takes less time than one that compares.
    private static let manyWords = 500

    func sort() {
        guard entries.count > 1 else { return }
        bytes.withUnsafeBytes { bytes in
            var runs: [Run] = []
            func divide(_ range: Range<Int>, column: Int, offset: Int, _ words: consuming [Word]) {
                let sorted = sort(range, by: words)
                var start = 0
                while start < sorted.count {
                    var end = start + 1
                    while end < sorted.count, sorted[end].bits == sorted[start].bits { end += 1 }
                    if end - start > 1 {
                        let equal = range.lowerBound + start..<range.lowerBound + end
                        if let run = sortOrRefine(equal, column, offset, bytes) { runs.append(run) }
                    }
                    start = end
                }
            }
            let prefixes = entries.indices.map { Word(bits: entries[$0].prefix, index: $0) }
            divide(0..<entries.count, column: 0, offset: 0, prefixes)
            while let run = runs.popLast() {
                let words = run.range.map { Word(bits: word(of: $0, run, bytes), index: $0) }
                divide(run.range, column: run.column, offset: run.offset, words)
            }
        }
    }

    private func value(of index: Int, column: Int, _ bytes: UnsafeRawBufferPointer) -> SQLCell {
        let entry = entries[index]
        var decoder = RecordDecoder(UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]))
        for _ in 0..<column { _ = decoder.next() }
        return decoder.next() ?? .null
    }

    private func word(of index: Int, _ run: Run, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let value = value(of: index, column: run.column, bytes)
        return run.offset == 0
            ? value.sortPrefix : SQLCell.prefix(of: UnsafeRawBufferPointer(rebasing: value.bytes[run.offset...]))
    }

    /// Sorts the entries of a range by a word of each, and returns the sorted words.
    private func sort(_ range: Range<Int>, by words: consuming [Word]) -> [Word] {
        var words = words
        guard zip(words, words.dropFirst()).contains(where: { $0.bits > $1.bits }) else { return words }
        if words.count < KeyBatch.manyWords {
            words.sort { $0.bits != $1.bits ? $0.bits < $1.bits : $0.index < $1.index }
        } else {
            let differing = words.reduce(0 as UInt64) { $0 | ($1.bits ^ words[0].bits) }
            var other = words
            for shift in stride(from: 0 as UInt64, to: 64, by: 8) where differing >> shift & 0xFF != 0 {
                KeyBatch.distribute(words, by: shift, into: &other)
                swap(&words, &other)
            }
        }
        let moved = words.map { entries[$0.index] }
        entries.replaceSubrange(range, with: moved)
        return words
    }

    /// Sorts a run whose entries also have equal words by values if it is small, or else returns the run that remains.
    private func sortOrRefine(
        _ range: Range<Int>, _ column: Int, _ offset: Int, _ bytes: UnsafeRawBufferPointer
    ) -> Run? {
        func compare() -> Run? {
            entries[range].sort { one, other in
                RecordOrder.comes(
                    UnsafeRawBufferPointer(rebasing: bytes[one.start..<one.start + one.count]),
                    before: UnsafeRawBufferPointer(rebasing: bytes[other.start..<other.start + other.count]))
            }
            return nil
        }
        guard range.count > KeyBatch.smallRun else { return compare() }
        let first = value(of: range.lowerBound, column: column, bytes)
        // The first word of text has its kind and not quite eight bytes.
        let end = offset == 0 ? 7 : offset + 8
        var areEqual = true
        var allAreLonger = true
        for index in range {
            let value = value(of: index, column: column, bytes)
            guard value.kind == first.kind else { return compare() }
            switch value.kind {
            case .text, .blob:
                if value.bytes.count != first.bytes.count || value.bytes.count > end { areEqual = false }
                if value.bytes.count < end { allAreLonger = false }
            case .integer: (areEqual, allAreLonger) = (areEqual && value.integer == first.integer, false)
            case .real: (areEqual, allAreLonger) = (areEqual && value.real == first.real, false)
            case .null, .absent: allAreLonger = false
            }
        }
        if areEqual {
            return column + 1 < columnCount ? Run(range: range, column: column + 1, offset: 0) : nil
        }
        return allAreLonger ? Run(range: range, column: column, offset: end) : compare()
    }

    /// One stable pass of a radix sort.
    private static func distribute(_ words: [Word], by shift: UInt64, into sorted: inout [Word]) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { starts in
            starts.initialize(repeating: 0)
            for word in words { starts[Int(word.bits >> shift & 0xFF) + 1] += 1 }
            for index in 1..<257 { starts[index] += starts[index - 1] }
            for word in words {
                let digit = Int(word.bits >> shift & 0xFF)
                sorted[starts[digit]] = word
                starts[digit] += 1
            }
        }
    }
}
