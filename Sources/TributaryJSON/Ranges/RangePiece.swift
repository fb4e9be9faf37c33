import CTributaryStructure

/// A piece of a file in which the first record border is searched and records and lines are counted.
struct RangePiece: Sendable {
    /// The bytes of the piece.
    let bytes: Range<Int>
    /// Whether a border is a line feed after a record, not a comma between elements.
    let isLines: Bool
    /// Where hashing begins if the piece needs no border of its own, because a range begins before it.
    var hashStart: Int?
    let bufferBytes: Int
    /// Whether to use the form of the scan for any processor.
    let isPortable: Bool

    /// The results of a scan.
    struct Result: Sendable {
        var scan: tributary_scan
        /// The end of the record before the first border, if there is a border.
        var recordEnd: Int?
        /// The line feeds between that end and the border.
        var gapLineFeeds = 0
        /// The hash of the bytes from the record end, or from `hashStart`, to `hashEnd`.
        var digest = ByteDigest()
        var hashEnd = 0
    }

    /// The state of a piece that begins between two records.
    static var initialState: tributary_scan {
        tributary_scan(
            inside: 0, escaped: 0, depth: 0, has_contents: false, borders: 0, line_feeds: 0, last_line_feed: -1,
            first: -1, first_line_feeds: 0, first_last_line_feed: -1, end: -1)
    }

    /// Finds the first border and counts the rest, from the state at the beginning of the piece.
    ///
    /// The text from `origin` on has been parsed or scanned.
    func scan(_ file: RangeFile, _ state: tributary_scan, origin: Int) throws -> Result {
        var state = state
        (state.borders, state.line_feeds, state.last_line_feed) = (0, 0, -1)
        (state.first, state.first_line_feeds, state.first_last_line_feed, state.end) = (-1, 0, -1, -1)
        var result = Result(scan: state)
        var isHashing = hashStart != nil
        if let hashStart { try hash(file, hashStart, bytes.lowerBound, &result) }
        result.hashEnd = try file.read(from: bytes.lowerBound, to: bytes.upperBound, bufferBytes: bufferBytes) {
            part, offset in
            guard let start = part.bindMemory(to: UInt8.self).baseAddress else { return false }
            if isLines {
                tributary_scan_lines(&result.scan, start, part.count, Int64(offset), isPortable)
            } else {
                tributary_scan_array(&result.scan, start, part.count, Int64(offset), isPortable)
            }
            if isHashing {
                result.digest.update(UnsafeRawBufferPointer(part))
            } else if result.scan.first >= 0 {
                isHashing = true
                let end = try findRecordEnd(file, Int(result.scan.first), origin: origin, &result)
                if end < offset { try hash(file, end, offset, &result) }
                result.digest.update(UnsafeRawBufferPointer(rebasing: part[max(0, end - offset)...]))
            }
            return result.scan.end < 0
        }
        return result
    }

    private func hash(_ file: RangeFile, _ start: Int, _ end: Int, _ result: inout Result) throws {
        try file.hash(start, end, into: &result.digest, bufferBytes: bufferBytes)
    }

    /// Finds the end of the record before a border, where a reader resumes.
    private func findRecordEnd(_ file: RangeFile, _ border: Int, origin: Int, _ result: inout Result) throws -> Int {
        var end = border + 1
        if !isLines {
            // Only blanks can be between a record and its comma, and they are rarely many.
            end = try file.last(before: border, from: origin) { !$0.isJSONBlank }.map { $0 + 1 } ?? origin
            try file.read(from: end, to: border, bufferBytes: 4096) { part, _ in
                result.gapLineFeeds += LineFeeds.count(in: UnsafeRawBufferPointer(part))
                return true
            }
        }
        result.recordEnd = end
        return end
    }
}
