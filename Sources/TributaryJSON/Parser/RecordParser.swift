import CTributaryYajl

/// Parses the bytes of one source into chunks of records.
///
/// Bytes are appended to an arena, from which yajl parses them; its callbacks write the tape. When the arena is full,
/// it is published as a chunk, and the bytes of an unfinished record move to the next arena. One thread owns a parser.
final class RecordParser {
    /// The activity of the parser.
    enum Mode {
        case feeding
        /// Waiting for the rest of the character at a fault, which the error names.
        case reporting(Tokenizer.Fault, [PathStep])
        /// Searching for the end of a damaged part, which the arena keeps from its first byte on.
        case seeking(Damage)
        /// Dropping the rest of a record that is too long.
        case dropping(Damage, StructureScan)
        case finished

        /// Corrects all offsets after the arena's bytes have moved.
        mutating func moveDown(by distance: Int) {
            switch self {
            case .seeking(var damage):
                damage.moveDown(by: distance)
                self = .seeking(damage)
            case .dropping(var damage, var scan):
                damage.moveDown(by: distance)
                scan.position -= distance
                self = .dropping(damage, scan)
            case .reporting(var fault, let steps):
                fault.offset -= distance
                self = .reporting(fault, steps)
            case .feeding, .finished: break
            }
        }
    }

    let options: ReadOptions
    let routes: Routes
    let shape: RecordShape
    let source: Int
    let sourceName: String
    let pool: BlockPool
    /// Passes a chunk on; throws if no more are wanted.
    let deliver: (RecordChunk) throws -> Void
    let core: UnsafeMutablePointer<ParserCore>
    private let table: UnsafeMutablePointer<yajl_callbacks>

    var block: Block
    /// The number of bytes in the arena.
    var count: Int
    /// The length of the names that precede the bytes of the source.
    let prefix: Int
    /// The offset in the source of the arena's byte 0.
    var base: Int
    /// The end of the bytes that yajl has parsed.
    var fed: Int
    /// Offsets in the source of invalid bytes that the parser has not passed yet.
    var invalidOffsets: ArraySlice<Int> = []
    var lineFeeds = 0
    /// The line of the first byte of the arena.
    var line: Int
    /// The offset in the source at which that line begins.
    var lineStart: Int
    /// The offset in the source of the latest fault, from which the next one counts lines, and its line.
    var lastPlace = (offset: -1, line: 1, lineStart: 0)
    var mode = Mode.feeding
    var isFinal = false
    /// Where the text must end, if it is a range of a source.
    let stop: Checkpoint?
    /// The number of bytes that yajl has parsed since its latest event: the length of an unfinished token.
    var stalled = 0

    var contexts: [[PathStep]] = []
    /// The rejects since the last chunk, each with the number of records before it, and the bytes verified until then.
    var rejects: [(after: Int, reject: Reject, verifiedBytes: Int)] = []
    /// The bytes read to verify borders after damage.
    var verifiedBytes: Int
    /// The number of the record before the first of this arena.
    var firstNumber: Int
    /// The end of the latest chunk, from which reading can resume.
    var resumePoint: ResumePoint
    /// The end of the latest reject, from which reading can resume.
    var resumePointAfterReject: ResumePoint
    var hasMetPath: Bool { core.pointee.hasMetPath }
    var samples = RecordSamples()
    /// In NDJSON, the offset of the current line.
    var lineBegin: Int
    /// The offset after the last line feed among the bytes searched.
    var lastFeed = 0
    /// The end of the bytes searched for line feeds.
    var searched: Int
    /// The values outside of the record paths.
    var outside: OutsideCounter
    /// The places of all records, if they are looked for.
    var places = PlaceTree()

    init(
        options: ReadOptions, shape: RecordShape, source: Int, sourceName: String, pool: BlockPool, start: Checkpoint,
        stop: Checkpoint? = nil, border: (division: Division, place: FeedPlace)? = nil,
        deliver: @escaping (RecordChunk) throws -> Void
    ) throws {
        let context = border?.place.context ?? []
        self.deliver = deliver
        outside = OutsideCounter(start.outside ?? OutsideReport())
        self.options = options
        self.stop = stop
        self.shape = shape
        self.source = source
        self.sourceName = sourceName
        self.pool = pool
        let surveysPlaces = options.findsAllPlaces && shape.paths.contains(.unmatchable)
        routes = try Routes(shape.paths, opensObjects: surveysPlaces)
        block = pool.take()
        let keyName = options.keyName.jsonEscaped
        let valueName = options.valueName.jsonEscaped
        let names = keyName + valueName
        prefix = names.count
        base = start.byte - prefix - context.count
        count = prefix + context.count
        fed = count
        lineBegin = count
        searched = count
        lineFeeds = context.withUnsafeBytes { LineFeeds.count(in: $0) }
        line = start.line - lineFeeds
        lineStart = start.lineStart
        firstNumber = start.record
        verifiedBytes = start.verifiedBytes ?? 0
        resumePoint = ResumePoint(
            offset: start.byte, steps: start.steps, isBehindText: start.isBehindText, verifiedBytes: verifiedBytes)
        resumePointAfterReject = resumePoint
        table = .allocate(capacity: 1)
        core = .allocate(capacity: 1)
        let limits = options.limits
        let frames = UnsafeMutablePointer<ParserCore.Frame>.allocate(capacity: max(limits.depth, start.steps.count) + 2)
        let opens = UnsafeMutablePointer<Int>.allocate(capacity: max(limits.depth, start.steps.count) + 2)
        block.reserve(count, keeping: 0)
        block.bytes.update(from: names + context, count: count)
        core.initialize(
            to: ParserCore(
                arena: block.bytes, tape: block.tape, tapeCapacity: block.tapeCapacity, entries: block.entries,
                entryCapacity: block.entryCapacity, opens: opens, frames: frames,
                keyBytes: .allocate(capacity: 1024), keyBytesCapacity: 1024, maxDepth: limits.depth,
                maxString: limits.string, maxKey: limits.key, maxNumber: limits.number,
                maxRecord: limits.record, maxKeys: limits.keys, surveysPlaces: surveysPlaces,
                rootRule: shape.framing == .text ? routes.rootRule : .any,
                owner: Unmanaged.passUnretained(self), keyNameCount: keyName.count,
                valueNameCount: valueName.count))
        core.pointee.anchor = count
        core.pointee.hasMetPath = start.hasMetPath
        enter(start.steps)
        samples = start.samples ?? samples
        // After the only value of a text, nothing may follow.
        if start.isBehindText, shape.framing == .text {
            core.pointee.valueCount = 1
            core.pointee.valueEnd = count
        }
        // The comma between two items precedes the border.
        if let division = border?.division, division.kind == .items {
            for (level, count) in (border?.place.counts ?? []).enumerated() { core.pointee.frames[level].index = count }
            restartYajl(expecting: division.holdsMembers ? .key : .value)
            core.pointee.borderDepth = division.depth
        }
    }

    deinit {
        if let handle = core.pointee.handle { yajl_free(handle) }
        core.pointee.opens.deallocate()
        core.pointee.frames.deallocate()
        core.pointee.keyBytes.deallocate()
        adoptCoreMemory()
        pool.give(block)
        core.deallocate()
        table.deallocate()
    }

    /// The callbacks may have moved tape and entries to larger memory.
    func adoptCoreMemory() {
        block.tape = core.pointee.tape
        block.tapeCapacity = core.pointee.tapeCapacity
        block.entries = core.pointee.entries
        block.entryCapacity = core.pointee.entryCapacity
    }

    /// The bytes of the arena, names included.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: block.bytes, count: count) }

    // MARK: yajl

    /// Restarts yajl inside the open containers of `core`.
    ///
    /// yajl cannot continue after an error, nor start anywhere but at the top. So it parses the opening brackets of the
    /// containers, without callbacks, and a null in place of the items before.
    func restartYajl(expecting expectation: Tokenizer.Expectation) {
        if let handle = core.pointee.handle { yajl_free(handle) }
        table.pointee = yajl_callbacks()
        let handle = yajl_alloc(table, nil, core)
        // The thread that reads ahead checks strings more strictly than yajl does.
        _ = tributary_yajl_enable(handle, yajl_dont_validate_strings)
        if shape.framing != .text { _ = tributary_yajl_enable(handle, yajl_allow_multiple_values) }
        let depth = core.pointee.depth
        var opening = ""
        for level in 0..<depth {
            opening += core.pointee.frames[level].isObject ? "{" : "["
            if level < depth - 1, core.pointee.frames[level].isObject { opening += "\"\":" }
        }
        if depth > 0 {
            let isObject = core.pointee.frames[depth - 1].isObject
            switch expectation {
            case .commaOrEnd: opening += isObject ? "\"\":null" : "null"
            case .key: opening += "\"\":null,"
            case .value: opening += isObject ? "\"\":" : "null,"
            default: break
            }
        }
        if !opening.isEmpty {
            _ = opening.withUTF8 { yajl_parse(handle, $0.baseAddress, $0.count) }
        }
        YajlCallbacks.fill(table)
        core.pointee.handle = handle
        core.pointee.valueRule =
            switch shape.framing {
            case .text: .one
            case .lines: .line
            case .values: .separated
            case .gluedValues: .glued
            }
        core.pointee.recordDepth = -1
        core.pointee.expectation = expectation
        core.pointee.ruleViolation = .none
        core.pointee.valueCount = 0
        stalled = 0
    }

    /// Enters the containers along `steps`, after the value at their end.
    private func enter(_ steps: [PathStep]) {
        core.pointee.rootNext = core.pointee.describe(routes.start)
        core.pointee.next = core.pointee.rootNext
        for step in steps {
            switch step {
            case .key(let key):
                core.pointee.push(isObject: true)
                var key = key
                key.withUTF8 { core.pointee.setKey(UnsafeRawBufferPointer($0)) }
            case .index(let index):
                core.pointee.push(isObject: false)
                core.pointee.frames[core.pointee.depth - 1].index = index
                if !core.pointee.frames[core.pointee.depth - 1].isUniform { core.pointee.setNextElement() }
            }
        }
        restartYajl(expecting: steps.isEmpty ? .value : .commaOrEnd)
        // The value at the end of the path has been read.
        if !steps.isEmpty { core.pointee.endValue(at: count) }
    }

    // MARK: Contexts

    /// Adds the path to the container of the next record, and returns its index.
    ///
    /// The callbacks call it while they change the core, so it does not access the core.
    func addContext(
        _ frames: UnsafeBufferPointer<ParserCore.Frame>, keyBytes: UnsafeMutablePointer<UInt8>
    ) -> UInt32 {
        contexts.append(steps(frames, keyBytes: keyBytes, withInnermost: false))
        return UInt32(contexts.count - 1)
    }

    /// The steps into `frames`.
    ///
    /// Without the innermost one, if the record itself has that index or key.
    func steps(
        _ frames: UnsafeBufferPointer<ParserCore.Frame>, keyBytes: UnsafeMutablePointer<UInt8>, withInnermost: Bool
    ) -> [PathStep] {
        frames.indices.compactMap { level in
            let frame = frames[level]
            if !withInnermost, level == frames.count - 1 {
                let route = frame.next.route >= 0 ? frame.next.route : frame.next.arrayRoute
                if !frame.isObject || (route >= 0 && routes.isKeyed(Int(route))) { return nil }
            }
            guard frame.isObject else { return .index(frame.index) }
            let key = UnsafeBufferPointer(start: keyBytes + frame.keyStart, count: frame.keyCount)
            return .key(String(decoding: key, as: UTF8.self))
        }
    }

    var currentSteps: [PathStep] {
        steps(
            UnsafeBufferPointer(
                start: core.pointee.frames,
                count: core.pointee.recordDepth >= 0 ? core.pointee.recordDepth : core.pointee.depth),
            keyBytes: core.pointee.keyBytes, withInnermost: true)
    }
}
