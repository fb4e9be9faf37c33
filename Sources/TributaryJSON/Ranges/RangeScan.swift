import CTributaryStructure

/// Scans a file for the borders of ranges, piece after piece.
struct RangeScan {
    private let planner: RangePlanner
    private let beginning: RangePlanner.Beginning
    private let file: RangeFile
    /// The ranges whose ends are known.
    private var found: [RecordRange] = []

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

    /// The ranges of the file.
    mutating func ranges() throws -> [RecordRange] {
        while position < beginning.fileEnd {
            let piece = RangePiece(
                bytes: position..<min(position + planner.size, beginning.fileEnd), isLines: isLines,
                hashStart: position == origin ? start.byte : nil, bufferBytes: planner.options.bufferBytes,
                isPortable: planner.usesPortableScan)
            let result = try piece.scan(file, state, origin: origin)
            try add(result, of: piece)
            if result.scan.end >= 0 { break }
        }
        try endRange(at: nil)
        return found
    }

    /// Ends the current range at the border of a piece, if it has one, and moves to the end of the piece.
    private mutating func add(_ result: RangePiece.Result, of piece: RangePiece) throws {
        if piece.hashStart != nil {
            (digest, hashEnd) = (result.digest, result.hashEnd)
        } else if let end = result.recordEnd {
            let next = try checkpoint(at: end, result)
            try endRange(at: next)
            (start, digest, hashEnd) = (next, result.digest, result.hashEnd)
        }
        position = piece.bytes.upperBound
        line += Int(result.scan.line_feeds)
        if result.scan.last_line_feed >= 0 { lineStart = Int(result.scan.last_line_feed) + 1 }
        borders += Int(result.scan.borders)
        state = result.scan
    }

    /// Ends the current range, with the hash of its bytes.
    private mutating func endRange(at stop: Checkpoint?) throws {
        let end = stop?.byte ?? beginning.fileEnd
        if hashEnd > end { (digest, hashEnd) = (ByteDigest(), start.byte) }
        try file.hash(hashEnd, end, into: &digest, bufferBytes: planner.options.bufferBytes)
        found.append(RecordRange(number: found.count, start: start, stop: stop, hash: digest.text))
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
