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

    /// The state at `position`, with the counts of the latest piece.
    private var scan: BorderScan
    /// The beginning of the next piece.
    private var position: Int
    private var line: Int
    private var lineStart: Int
    /// The borders between the end of the first record and `position`.
    private var borders = 0

    private var origin: Int { beginning.firstEnd.byte }
    private var isLines: Bool { beginning.start.shape.framing == .lines }
    private var bufferBytes: Int { planner.options.bufferBytes }

    init(_ planner: RangePlanner, _ beginning: RangePlanner.Beginning) throws {
        self.planner = planner
        self.beginning = beginning
        file = try RangeFile(planner.source)
        start = beginning.start
        hashEnd = start.byte
        position = beginning.firstEnd.byte
        (line, lineStart) = (beginning.firstEnd.line, beginning.firstEnd.lineStart)
        scan = BorderScan(
            beginning.start.shape.framing == .lines ? .lines : .items, isPortable: planner.usesPortableScan)
    }

    mutating func ranges() throws -> [RecordRange] {
        while position < beginning.fileEnd, scan.end == nil {
            try scanPiece(to: min(position + planner.size, beginning.fileEnd))
        }
        try endRange(at: nil)
        return found
    }

    /// Scans the next piece, up to `end`, whose first border begins a range.
    ///
    /// The first piece needs no border of its own, because a range begins before it.
    private mutating func scanPiece(to end: Int) throws {
        scan.beginPiece()
        var isHashing = position == origin
        if isHashing { try hash(to: position) }
        let file = file
        try file.read(from: position, to: end, bufferBytes: bufferBytes) { part, offset in
            scan.scan(UnsafeRawBufferPointer(part), at: offset)
            if !isHashing, let border = scan.firstBorder {
                isHashing = true
                let next = try checkpoint(before: border)
                try endRange(at: next)
                (start, digest, hashEnd) = (next, ByteDigest(), next.byte)
                try hash(to: max(offset, hashEnd))
            }
            if isHashing {
                digest.update(UnsafeRawBufferPointer(rebasing: part[(hashEnd - offset)...]))
                hashEnd = offset + part.count
            }
            return scan.end == nil
        }
        position = end
        line += Int(scan.result.line_feeds)
        if scan.result.last_line_feed >= 0 { lineStart = Int(scan.result.last_line_feed) + 1 }
        borders += Int(scan.result.borders)
    }

    private mutating func hash(to end: Int) throws {
        hashEnd = try file.hash(hashEnd, end, into: &digest, bufferBytes: bufferBytes)
    }

    /// Ends the current range, with the hash of its bytes.
    private mutating func endRange(at stop: Checkpoint?) throws {
        let end = stop?.byte ?? beginning.fileEnd
        if hashEnd > end { (digest, hashEnd) = (ByteDigest(), start.byte) }
        try hash(to: end)
        found.append(RecordRange(number: found.count, start: start, stop: stop, hash: digest.text))
    }

    /// The checkpoint of a reader after the record before the first border of a piece.
    private func checkpoint(before border: Int) throws -> Checkpoint {
        var place = beginning.firstEnd
        place.line = line + Int(scan.result.first_line_feeds)
        place.record += borders
        guard !isLines else {
            place.byte = border + 1
            place.line += 1
            place.lineStart = place.byte
            place.record += 1
            return place
        }
        // Only blanks can be between a record and its comma, and they are rarely many.
        place.byte = try file.last(before: border, from: origin) { !$0.isJSONBlank }.map { $0 + 1 } ?? origin
        var gapLineFeeds = 0
        try file.read(from: place.byte, to: border, bufferBytes: 4096) { part, _ in
            gapLineFeeds += LineFeeds.count(in: UnsafeRawBufferPointer(part))
            return true
        }
        place.line -= gapLineFeeds
        if gapLineFeeds > 0 {
            let last = try file.last(before: place.byte, from: start.byte) { $0 == UInt8(ascii: "\n") }
            place.lineStart = last.map { $0 + 1 } ?? start.lineStart
        } else {
            let last = Int(scan.result.first_last_line_feed)
            place.lineStart = last >= 0 ? last + 1 : lineStart
        }
        if case .index(let index) = place.steps.last { place.steps[place.steps.count - 1] = .index(index + borders) }
        return place
    }
}
