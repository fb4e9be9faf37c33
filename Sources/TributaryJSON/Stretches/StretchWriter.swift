import TributaryConcurrency

/// Divides the bytes of a source into stretches, on the reading thread.
struct StretchWriter {
    private enum State {
        /// One parser reads the rest.
        case undivided
        /// The parser is asked where the borders are.
        case asking
        /// Borders are found by a scan.
        case scanning(Division, BorderScan)
    }

    private let queue: BoundedQueue<Stretch>
    private let source: Int
    /// The number of bytes after which a stretch ends at the next border.
    private let size: Int
    private var stretch: Stretch
    private var state: State
    /// The end of the bytes that were scanned.
    private var scanned: Int
    /// The latest bytes, from which a scan begins once the parser knows the place.
    private var kept: [Piece] = []
    private var keptBytes = 0
    /// Whether dividing is worthless, because most parsers do not arrive at the borders.
    private let isWorthless: () -> Bool
    /// Makes a stretch known before others have it; false if the reader has stopped.
    private let register: (Stretch) -> Bool

    /// Begins with a source; nil if the queue is cancelled.
    ///
    /// A size of nil is for one parser.
    init?(
        _ queue: BoundedQueue<Stretch>, source: Int, offset: Int, compression: Compression?, encoding: TextEncoding,
        size: Int?, register: @escaping (Stretch) -> Bool, isWorthless: @escaping () -> Bool
    ) {
        self.register = register
        (self.queue, self.source, self.size) = (queue, source, size ?? 0)
        self.isWorthless = isWorthless
        stretch = Stretch(
            source: source, offset: offset, start: .source(compression: compression, encoding: encoding),
            capacity: StretchWriter.capacity(size))
        scanned = offset
        state = size == nil ? .undivided : .asking
        if case .asking = state { stretch.ask() }
        guard register(stretch), queue.push(stretch, weight: 1) else { return nil }
    }

    /// The most bytes of a stretch that wait to be parsed.
    private static func capacity(_ size: Int?) -> Int { size.map { 2 * $0 } ?? 1 << 20 }

    /// Adds the next bytes; false if the reader has stopped.
    mutating func add(_ piece: Piece) -> Bool {
        var rest = piece
        while let (border, division, hasEnded) = nextBorder(in: rest) {
            let (head, tail) = rest.split(at: border)
            guard head.count == 0 || stretch.push(head) else { return false }
            stretch.close(.border(division))
            stretch = Stretch(
                source: source, offset: border, start: .border(division), capacity: StretchWriter.capacity(size))
            guard register(stretch), queue.push(stretch, weight: 1) else { return false }
            rest = tail
            if hasEnded { askAgain() }
        }
        guard rest.count == 0 || stretch.push(rest) else { return false }
        if case .asking = state { listen(rest) }
        return true
    }

    /// Ends the source.
    func finish() {
        stretch.close(.source)
        queue.finish()
    }

    /// Ends the source, which cannot be read any further.
    func fail(_ error: any Error) {
        stretch.fail(error)
        queue.finish()
    }

    // MARK: Borders

    /// The offset of the next byte at which a stretch may begin, and whether the container ends soon after it.
    private mutating func nextBorder(in piece: Piece) -> (Int, Division, hasEnded: Bool)? {
        guard case .scanning(let division, var scan) = state else { return nil }
        if isWorthless() {
            state = .undivided
            return nil
        }
        let step = min(max(size / 4, 64), 64 << 10)
        defer { if case .scanning = state { state = .scanning(division, scan) } }
        while scanned < piece.end {
            let begin = max(scanned, piece.offset)
            let end = min(piece.end, begin + step)
            scan.beginPiece()
            scan.scan(
                UnsafeRawBufferPointer(rebasing: piece.bytes[(begin - piece.offset)..<(end - piece.offset)]), at: begin)
            scanned = end
            // The byte after a comma or a line feed begins an item; a blank after a value belongs to the next one.
            if let border = scan.firstBorder.map({ division.kind == .values ? $0 : $0 + 1 }),
                border - stretch.offset >= size, border < piece.end
            {
                return (border, division, scan.end != nil)
            }
            if scan.end != nil {
                askAgain()
                return nil
            }
        }
        return nil
    }

    private mutating func askAgain() {
        state = .asking
        (kept, keptBytes) = ([], 0)
        stretch.ask()
    }

    /// Begins to scan if the parser knows the place of the borders; waits for it after a number of bytes.
    private mutating func listen(_ piece: Piece) {
        if piece.count > 0 { kept.append(piece) }
        keptBytes += piece.weight
        let isWaiting = keptBytes >= size
        switch stretch.answer(isWaiting: isWaiting) {
        case .undivided?: state = .undivided
        case .place(let place)?:
            guard let first = kept.first, place.offset >= first.offset || place.division.kind == .lines else {
                return askAgain()
            }
            var scan = BorderScan(place.division.kind, depth: place.depth)
            for piece in kept where piece.end > place.offset {
                let begin = max(piece.offset, place.offset)
                scan.scan(UnsafeRawBufferPointer(rebasing: piece.bytes[(begin - piece.offset)...]), at: begin)
            }
            guard scan.end == nil else { return askAgain() }
            scanned = piece.end
            state = .scanning(place.division, scan)
        case .unknown?: return askAgain()
        case nil: return
        }
        (kept, keptBytes) = ([], 0)
    }
}
