import Synchronization

/// A view of a value inside a record, which is decoded only on access.
public struct JSON: Sendable {
    /// The type of a value.
    public enum Kind: String, Sendable {
        /// A missing member or element.
        case missing
        /// The value `null`.
        case null
        /// `true` or `false`.
        case boolean
        /// A number of any size.
        case number
        /// Text.
        case string
        /// `[…]`
        case array
        /// `{…}`
        case object
    }

    // Inlined access to members borrows the storage instead of counting a reference for each.
    @usableFromInline let storage: ChunkStorage
    @usableFromInline let recordIndex: Int32
    /// The word on the tape; for a missing value, -1 minus the word of the innermost container on its path.
    @usableFromInline let place: Int32

    @inlinable @inline(__always)
    init(storage: ChunkStorage, record: Int, word: Int) {
        self.storage = storage
        recordIndex = Int32(truncatingIfNeeded: record)
        place = Int32(truncatingIfNeeded: word)
    }

    @inlinable @inline(__always)
    var record: Int { Int(recordIndex) }
    @inline(__always)
    var word: Int { Int(place) }

    /// The type of the value.
    public var kind: Kind {
        guard word >= 0 else { return .missing }
        switch storage.word(word).kind {
        case .null: return .null
        case .yes, .no: return .boolean
        case .number: return .number
        case .text, .escapedText, .key, .escapedKey: return .string
        case .array: return .array
        case .object: return .object
        case .end: return .missing
        }
    }

    /// The kind of the word on the tape; `end` for a missing value.
    @inline(__always)
    var token: TapeWord.Kind { word < 0 ? .end : storage.word(word).kind }

    /// Whether it is a whole record.
    package var isRecord: Bool { word == Int(storage.entry(record).tape) }

    /// Whether the value is neither missing nor null.
    @usableFromInline var isPresent: Bool { word >= 0 && storage.word(word).kind != .null }

    /// Whether the value is missing.
    public var isMissing: Bool { word < 0 }
    /// Whether the value is `null`.
    public var isNull: Bool { word >= 0 && storage.word(word).kind == .null }

    // MARK: Inside

    /// The member `key` of an object; of duplicate keys the last one.
    ///
    /// If the value is neither an object nor null, the member is missing, and the record remembers the failure.
    @inlinable
    public subscript(key: String) -> JSON { JSON(storage: storage, record: record, word: place(of: key)) }

    /// The word of the member `key`, or the word for its absence.
    @usableFromInline
    func place(of key: String) -> Int {
        guard word >= 0 else { return word }
        let kind = storage.word(word).kind
        guard kind == .object else {
            if kind != .null { remember(mismatch(expected: "an object")) }
            return absence
        }
        var key = key
        return key.withUTF8 { find($0) }
    }

    /// The element of an array at `index`, from 0.
    ///
    /// If the value is neither an array nor null, the element is missing, and the record remembers the failure.
    public subscript(index: Int) -> JSON {
        if word >= 0, kind != .array, kind != .null { remember(mismatch(expected: "an array")) }
        if word >= 0, index >= 0, storage.word(word).kind == .array {
            var next = word + 1
            var position = 0
            while storage.word(next).kind != .end {
                if position == index { return JSON(storage: storage, record: record, word: next) }
                next += storage.word(next).span
                position += 1
            }
        }
        return JSON(storage: storage, record: record, word: absence)
    }

    /// The word for a missing value inside this one.
    private var absence: Int { word < 0 ? word : -1 - word }

    /// The word of the member `name` of an object, or the word for its absence.
    @inline(__always)
    private func find(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        let first = word + 1
        guard storage.entry(record).duplicateKeys == 0 else {
            // The last one of duplicate keys counts.
            var (found, next) = (absence, first)
            while let member = find(name, from: next, to: .max) { (found, next) = (member, member + span(member)) }
            return found
        }
        let latest = storage.latestMember.load(ordering: .relaxed)
        var known = latest
        if Int(latest >> 32) != word {
            known = storage.earlierMember.load(ordering: .relaxed)
            storage.earlierMember.store(latest, ordering: .relaxed)
        }
        let start = Int(known >> 32) == word ? Int(known & 0xFFFF_FFFF) : first
        guard let found = find(name, from: start, to: .max) ?? find(name, from: first, to: start) else {
            return absence
        }
        let next = UInt64(truncatingIfNeeded: found + span(found))
        storage.latestMember.store(UInt64(truncatingIfNeeded: word) << 32 | next, ordering: .relaxed)
        return found
    }

    /// The word of the first member `name` among the keys from `start` up to `end`.
    @inline(__always)
    private func find(_ name: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        let arena = storage.arena
        var next = start
        while next < end {
            let key = storage.word(next)
            if key.kind == .end { return nil }
            if JSONText.equal(key, name, in: arena) { return next + 1 }
            next += 1 + span(next + 1)
        }
        return nil
    }

    @inline(__always)
    private func span(_ word: Int) -> Int { storage.word(word).span }

    /// The members of an object in the order of the source, duplicate keys included; empty for anything else.
    public var members: Members { Members(of: self) }

    /// The elements of an array; empty for anything else.
    public var elements: Elements { Elements(of: self) }

    // MARK: Bytes

    /// Calls `body` with the bytes of the value in the source; none if it is missing.
    public func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage.bytes[rawRange]))
    }

    /// The bytes of the value as text: a string with its quotes and escapes, a number digit by digit.
    public var rawText: String { withRawBytes { String(decoding: $0, as: UTF8.self) } }

    /// The offset of the value's first byte in the source, or of its record if it is missing.
    public var offset: Int { storage.base + rawRange.lowerBound }

    var rawRange: Range<Int> { storage.rawRange(record, word) }

    // MARK: Position

    /// The path from the top of the text to the value, or to the container that lacks it.
    public var path: [PathStep] {
        let entry = storage.entry(record)
        return storage.path(to: entry) + inner(from: Int(entry.tape), to: word >= 0 ? word : -1 - word)
    }

    private func inner(from root: Int, to target: Int) -> [PathStep] {
        var steps: [PathStep] = []
        var container = root
        descent: while container != target {
            let isObject = storage.word(container).kind == .object
            var next = container + 1
            var index = 0
            while storage.word(next).kind != .end {
                let value = isObject ? next + 1 : next
                if (value..<value + storage.word(value).span).contains(target) {
                    steps.append(isObject ? .key(storage.string(storage.word(next))) : .index(index))
                    container = value
                    continue descent
                }
                next = value + storage.word(value).span
                index += 1
            }
            break
        }
        return steps
    }
}
