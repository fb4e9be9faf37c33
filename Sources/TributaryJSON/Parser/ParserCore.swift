import CTributaryYajl

/// The state of the yajl callbacks, in plain memory without reference counts or exclusivity checks.
///
/// The same code as a class with Swift arrays takes more than twice the time. The `RecordParser` that owns this value
/// also owns all its pointers.
struct ParserCore {
    /// An open container outside of any record.
    struct Frame {
        var isObject: Bool
        /// Whether the paths treat all elements of the array alike.
        var isUniform = true
        var positions: Routes.Positions
        var next = Next.nothing
        /// The index of the next element.
        var index = 0
        /// The bytes of the latest key, in `keyBytes`.
        var keyStart: Int
        var keyCount = 0
    }

    /// The role of the next value according to the paths.
    struct Next {
        var positions: Routes.Positions
        /// The route of the record that the value is, or -1.
        var route: Int32
        /// The route of the record that the value is if it is an array, or -1.
        var arrayRoute: Int32

        static let nothing = Next(positions: 0, route: -1, arrayRoute: -1)
    }

    // MARK: The bytes in yajl

    var handle: yajl_handle?
    /// The address of the first byte that yajl is parsing.
    var window: UInt = 0
    var windowCount: UInt = 0
    /// The offset of that byte in the arena.
    var windowOffset = 0
    var arena: UnsafeMutablePointer<UInt8>

    // MARK: The parsed records

    var tape: UnsafeMutablePointer<TapeWord>
    var tapeCount = 0
    var tapeCapacity: Int
    var entries: UnsafeMutablePointer<RecordEntry>
    var entryCount = 0
    var entryCapacity: Int
    /// Records and rejects since `numberBase`.
    var number = 0

    // MARK: The position of the parser

    var depth = 0
    /// The depth of the container of the current record, or -1 outside of records.
    var recordDepth = -1
    var entry = RecordEntry()
    /// The start words of the open containers inside a record, by depth.
    let opens: UnsafeMutablePointer<Int>
    /// The open containers outside of records, by depth.
    let frames: UnsafeMutablePointer<Frame>
    var next = Next.nothing
    /// The role of a top-level value.
    var rootNext = Next.nothing
    var keyBytes: UnsafeMutablePointer<UInt8>
    var keyBytesCount = 0
    var keyBytesCapacity: Int
    /// The word for the key of the next record, if records are members.
    var recordKey = TapeWord(bits: 0)
    /// The offset of that key in the arena.
    var recordKeyStart = 0
    /// Whether the path to the next record may differ from the path to the last one.
    var contextIsStale = true
    var context: UInt32 = 0
    /// The end of the latest token outside of records.
    var anchor = 0
    /// The token that the grammar allows after it.
    var expectation = Tokenizer.Expectation.value
    var eventCount = 0
    /// Whether a top-level container that is not a record has been entered; its frame stays at index 0 after its end.
    var hasOpenedRoot = false
    /// The number of complete top-level values since yajl was restarted.
    var valueCount = 0
    /// The end of the latest one.
    var valueEnd = 0
    /// The end of the latest closing bracket of a container outside of records.
    var closedEnd = -1
    var valueStart = 0
    var line = Line()

    var hasMetPath = false
    /// The depth of the border at which parsing began.
    var borderDepth = 0
    /// The least depth since then.
    var leastDepth = Int.max
    /// Whether a record was met after the container at the border was left.
    var hasRecordsBehindContainer = false
    /// The depth inside the container outside of the paths whose contents are counted, or -1.
    var outsideDepth = -1
    /// The number of objects directly inside it.
    var outsideObjects = 0
    /// The number of objects in arrays that are deeper inside it.
    var outsideInnerObjects = 0
    /// The hash of the first key of the first object among its members.
    var outsideFirstKey: UInt64 = 0

    // MARK: Rules

    let maxDepth: Int
    let maxString: Int
    let maxKey: Int
    let maxNumber: Int
    let maxRecord: Int
    let maxKeys: Int
    /// Whether the places of all records are looked for, instead of the values outside of the paths.
    let surveysPlaces: Bool
    /// The type of the top-level value that the paths require.
    let rootRule: RootRule
    var valueRule = ValueRule.one
    /// A failure that the tokenizer would not find by itself.
    var ruleViolation = RuleViolation.none
    var ruleViolationOffset = 0
    let owner: Unmanaged<RecordParser>
    /// The length of the name for keys, which is at the start of each arena.
    let keyNameCount: Int
    /// The length of the name for values, which follows it.
    let valueNameCount: Int

    /// A reason why a callback rejects valid JSON.
    enum RuleViolation: UInt8 {
        case none
        case recordTooLong
        case keyNameTaken
        case secondValue
        case gluedValues
        case lineBreak
        case wrongRoot
    }

    /// The start of a line, and the counts before it.
    struct Line {
        var begin = 0
        var entryCount = 0
        var tapeCount = 0
        var number = 0
    }

    enum RootRule: UInt8 { case any, array, object }

    enum ValueRule: UInt8 {
        /// One top-level value, then nothing.
        case one
        /// Separated by blanks.
        case separated
        /// Each on a line of its own.
        case line
        /// Values need no blank between them if one of them has a delimiter there.
        case glued
    }

    /// The end of the token that yajl has just delivered, in the arena.
    @inline(__always)
    var tokenEnd: Int { mutating get { windowOffset + yajl_get_bytes_consumed(handle) } }

    @inline(__always)
    mutating func append(_ word: TapeWord) {
        if tapeCount == tapeCapacity { growTape() }
        tape[tapeCount] = word
        tapeCount &+= 1
    }

    private mutating func growTape() {
        tapeCapacity *= 2
        tape.grow(to: tapeCapacity, keeping: tapeCount)
    }

    private mutating func growEntries() {
        entryCapacity *= 2
        entries.grow(to: entryCapacity, keeping: entryCount)
    }

    /// Continues with the memory of another block.
    mutating func use(_ block: Block) {
        (arena, tape, tapeCapacity) = (block.bytes, block.tape, block.tapeCapacity)
        (entries, entryCapacity) = (block.entries, block.entryCapacity)
    }

    /// Corrects all offsets after the arena's bytes have moved, and `words` of an unfinished record with them.
    mutating func moveDown(by distance: Int, keeping words: Range<Int>) {
        anchor -= distance
        valueEnd -= distance
        closedEnd -= distance
        recordKeyStart -= distance
        recordKey = recordKey.moved(down: distance)
        tapeCount = words.count
        guard recordDepth >= 0 else { return }
        entry.raw -= UInt32(distance)
        entry.tape = 0
        for level in recordDepth + 1..<depth + 1 { opens[level] -= words.lowerBound }
        // The names for keys and values, before the first byte, do not move.
        let prefix = keyNameCount + valueNameCount
        for index in 0..<words.count where tape[index].offset >= prefix {
            tape[index] = tape[index].moved(down: distance)
        }
    }

    /// The result that stops yajl; the tokenizer finds the reason, unless there is a rule violation.
    static let stop: Int32 = 0

    /// Stops yajl for a reason that the tokenizer would not find.
    mutating func stop(because ruleViolation: RuleViolation, at offset: Int) -> Int32 {
        self.ruleViolation = ruleViolation
        ruleViolationOffset = offset
        return 0
    }

    // MARK: Inside a record

    @inline(__always)
    mutating func recordStart(_ kind: TapeWord.Kind) -> Int32 {
        guard depth < maxDepth else { return ParserCore.stop }
        depth &+= 1
        opens[depth] = tapeCount
        append(TapeWord(kind, offset: tokenEnd &- 1, length: 0))
        return 1
    }

    @inline(__always)
    mutating func recordEnd() -> Int32 {
        let end = tokenEnd
        guard closeContainer(at: end) else { return ParserCore.stop }
        return depth == recordDepth ? endRecord(at: end) : 1
    }

    @inline(__always)
    private mutating func closeContainer(at end: Int) -> Bool {
        let start = opens[depth]
        append(TapeWord(.end, offset: end, length: 0))
        let length = tapeCount &- start
        // Each member takes at least two words, so the keys of a shorter container need not be counted.
        if length > maxKeys, hasTooManyKeys(start) { return false }
        tape[start].bits |= UInt64(truncatingIfNeeded: length) << 32
        depth &-= 1
        return true
    }

    private mutating func hasTooManyKeys(_ start: Int) -> Bool {
        guard tape[start].kind == .object else { return false }
        var keys = 0
        var index = start + 1
        while tape[index].kind != .end {
            keys += 1
            index += 1 + tape[index + 1].span
        }
        // The key of a keyed record is counted as a member.
        let isKeyed = start == Int(entry.tape) && entry.flags.contains(.isKeyed)
        return keys > (isKeyed ? maxKeys + 1 : maxKeys)
    }

    // MARK: Around a record

    mutating func beginRecord(_ route: Int32, at start: Int, isObject: Bool) {
        let isMember = depth > 0 && frames[depth - 1].isObject
        let isKeyed = isMember && owner._withUnsafeGuaranteedRef { $0.routes.isKeyed(Int(route)) }
        if contextIsStale {
            let frames = UnsafeBufferPointer(start: frames, count: depth)
            context = owner._withUnsafeGuaranteedRef { $0.addContext(frames, keyBytes: keyBytes) }
            contextIsStale = false
        }
        entry = RecordEntry()
        entry.tape = UInt32(truncatingIfNeeded: tapeCount)
        entry.raw = UInt32(truncatingIfNeeded: start)
        entry.number = UInt32(truncatingIfNeeded: number)
        entry.route = UInt16(truncatingIfNeeded: route)
        entry.context = context
        if depth > 0, !isMember {
            entry.flags.insert(.hasIndex)
            entry.index = frames[depth - 1].index
        }
        recordDepth = depth
        hasMetPath = true
        if leastDepth < borderDepth { hasRecordsBehindContainer = true }
        if isKeyed { beginKeyedRecord(at: start, isObject: isObject) }
    }

    /// Begins a keyed record with its key as the first member.
    private mutating func beginKeyedRecord(at start: Int, isObject: Bool) {
        entry.flags.insert(.isKeyed)
        append(TapeWord(.object, offset: start, length: 0))
        append(nameWord(at: 0, keyNameCount))
        append(recordKey)
        if !isObject {
            entry.flags.insert(.isWrapped)
            append(nameWord(at: keyNameCount, valueNameCount))
        }
    }

    private func nameWord(at offset: Int, _ length: Int) -> TapeWord {
        let isEscaped = UnsafeBufferPointer(start: arena + offset, count: length).contains(UInt8(ascii: "\\"))
        return TapeWord(isEscaped ? .escapedKey : .key, offset: offset, length: length)
    }

    /// Whether a keyed record has a member with the name that is reserved for its key.
    private mutating func hasKeyName() -> Bool {
        let name = nameWord(at: 0, keyNameCount)
        let text = UnsafeBufferPointer(start: arena, count: keyNameCount)
        var index = Int(entry.tape) + 3
        while tape[index].kind != .end {
            if name.kind == .key
                ? JSONText.equal(tape[index], text, in: arena) : JSONText.equal(tape[index], name, in: arena)
            {
                return true
            }
            index += 1 + tape[index + 1].span
        }
        return false
    }

    /// Ends the record whose last byte precedes `end`.
    mutating func endRecord(at end: Int) -> Int32 {
        if entry.flags.contains(.isWrapped) {
            append(TapeWord(.end, offset: end, length: 0))
            let start = Int(entry.tape)
            tape[start] = TapeWord(.object, offset: Int(entry.raw), length: tapeCount - start)
        }
        let length = end - Int(entry.raw)
        guard length <= maxRecord else {
            return stop(because: .recordTooLong, at: Int(entry.raw))
        }
        entry.rawLength = UInt32(truncatingIfNeeded: length)
        if entry.flags.contains(.isKeyed), hasKeyName() { return stop(because: .keyNameTaken, at: Int(entry.raw)) }
        if entryCount == entryCapacity { growEntries() }
        entries[entryCount] = entry
        entryCount &+= 1
        number &+= 1
        recordDepth = -1
        return endValue(at: end) ? 1 : ParserCore.stop
    }
}
