import CTributaryStructure
import TributaryConcurrency

/// The way of a `RangePlanner` through a file, as many pieces at a time as it has threads.
struct RangeWalk {
    private let planner: RangePlanner
    private let beginning: RangePlanner.Beginning
    private let file: RangeFile
    /// The number of ranges published.
    private(set) var published = 0

    /// The range whose end is not known yet.
    private var start: Checkpoint
    /// The hash of its bytes up to `hashEnd`.
    private var digest = ByteDigest()
    private var hashEnd: Int

    /// The state at `position`, the beginning of the next piece.
    private var state = RangePiece.initialState
    private var position: Int
    private var line: Int
    private var lineStart: Int
    /// The borders between the end of the first record and `position`.
    private var borders = 0

    private var origin: Int { beginning.firstEnd.byte }
    private var isLines: Bool { beginning.start.shape.framing == .lines }

    init(_ planner: RangePlanner, _ beginning: RangePlanner.Beginning) throws {
        self.planner = planner
        self.beginning = beginning
        file = try RangeFile(planner.source)
        start = beginning.start
        hashEnd = start.byte
        position = beginning.firstEnd.byte
        (line, lineStart) = (beginning.firstEnd.line, beginning.firstEnd.lineStart)
    }

    /// Examines the next pieces; false at the end, after the last range has been published.
    mutating func advance(_ publish: (RecordRange) throws -> Void) throws -> Bool {
        let pieces = nextPieces()
        let results = try scan(pieces)
        for (piece, result) in zip(pieces, results) {
            try take(result, of: piece, publish)
            if result.scan.end >= 0 { return try finish(publish) }
        }
        return pieces.isEmpty ? try finish(publish) : true
    }

    private func nextPieces() -> [RangePiece] {
        let begins = stride(from: position, to: beginning.fileEnd, by: planner.size).prefix(planner.threads)
        return begins.map { begin in
            RangePiece(
                bytes: begin..<min(begin + planner.size, beginning.fileEnd), isLines: isLines,
                hashStart: begin == origin ? start.byte : nil, bufferBytes: planner.options.bufferBytes,
                isPortable: planner.usesPortableScan)
        }
    }

    private func scan(_ pieces: [RangePiece]) throws -> [RangePiece.Result] {
        let (source, origin) = (planner.source, origin)
        guard pieces.count > 1 else { return try pieces.map { try $0.scan(file, state, origin: origin) } }
        var states = [state]
        if isLines {
            for piece in pieces.dropFirst() {
                var state = RangePiece.initialState
                state.has_contents = try piece.hasContentsBefore(file, origin: origin)
                states.append(state)
            }
        } else {
            let summaries = try Concurrently.map(pieces.dropLast()) { piece in
                try piece.summary(RangeFile(source), origin: origin)
            }
            for summary in summaries { states.append(states[states.count - 1].after(summary)) }
        }
        return try Concurrently.map(Array(zip(pieces, states))) { piece, state in
            try piece.scan(RangeFile(source), state, origin: origin)
        }
    }

    /// Ends the current range at the border of a piece, if it has one, and moves to the end of the piece.
    private mutating func take(
        _ result: RangePiece.Result, of piece: RangePiece, _ publish: (RecordRange) throws -> Void
    ) throws {
        if piece.hashStart != nil {
            (digest, hashEnd) = (result.digest, result.hashEnd)
        } else if let end = result.recordEnd {
            let next = try checkpoint(at: end, result)
            try publish(range(to: next))
            (start, digest, hashEnd) = (next, result.digest, result.hashEnd)
        }
        position = piece.bytes.upperBound
        line += Int(result.scan.line_feeds)
        if result.scan.last_line_feed >= 0 { lineStart = Int(result.scan.last_line_feed) + 1 }
        borders += Int(result.scan.borders)
        state = result.scan
    }

    private mutating func finish(_ publish: (RecordRange) throws -> Void) throws -> Bool {
        try publish(range(to: nil))
        return false
    }

    /// The current range, with the hash of its bytes.
    private mutating func range(to stop: Checkpoint?) throws -> RecordRange {
        let end = stop?.byte ?? beginning.fileEnd
        if hashEnd > end { (digest, hashEnd) = (ByteDigest(), start.byte) }
        try file.hash(hashEnd, end, into: &digest, bufferBytes: planner.options.bufferBytes)
        defer { published += 1 }
        return RecordRange(number: published, start: start, stop: stop, hash: digest.text)
    }

    /// The checkpoint of a reader after the record that ends at `end`, before the first border of a piece.
    private func checkpoint(at end: Int, _ result: RangePiece.Result) throws -> Checkpoint {
        var place = beginning.firstEnd
        place.byte = end
        if isLines {
            place.line = line + Int(result.scan.first_line_feeds) + 1
            place.lineStart = end
            place.record += borders + 1
            return place
        }
        place.line = line + Int(result.scan.first_line_feeds) - result.gapLineFeeds
        if result.gapLineFeeds > 0 {
            let last = try file.last(before: end, from: start.byte) { $0 == UInt8(ascii: "\n") }
            place.lineStart = last.map { $0 + 1 } ?? start.lineStart
        } else {
            let last = Int(result.scan.first_last_line_feed)
            place.lineStart = last >= 0 ? last + 1 : lineStart
        }
        place.record += borders
        if case .index(let index) = place.steps.last { place.steps[place.steps.count - 1] = .index(index + borders) }
        return place
    }
}

extension tributary_scan {
    /// The state after a piece.
    fileprivate func after(_ summary: tributary_summary) -> tributary_scan {
        var state = self
        state.inside = summary.inside ^ inside
        state.escaped = summary.escaped
        state.depth += inside == 0 ? summary.depth_outside : summary.depth_inside
        return state
    }
}
