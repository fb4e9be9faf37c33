extension RecordParser {
    /// After each piece of input: publishes a full chunk, and drops bytes that are no longer needed.
    func publishIfFull() throws {
        let isFull = count - prefix >= options.chunkBytes && !mayBeStrayArray
        let hasContents = core.pointee.entryCount > 0 || !rejects.isEmpty
        if core.pointee.entryCount >= options.chunkRecords || isFull && hasContents {
            try publish()
        } else if isFull {
            slide()
        }
    }

    private var firstNeeded: Int { max(prefix, firstUnfinished - RecordParser.contextBytes) }

    private var firstUnfinished: Int {
        switch mode {
        case .finished: return count
        case .seeking(let damage): return damage.start
        case .dropping(_, let scan): return scan.position
        case .feeding, .reporting: break
        }
        if shape.framing == .lines { return lineBegin }
        if core.pointee.recordDepth >= 0 {
            return core.pointee.entry.flags.contains(.isKeyed)
                ? core.pointee.recordKeyStart : Int(core.pointee.entry.raw)
        }
        moveAnchor()
        return awaitsKeyedRecord ? min(core.pointee.anchor, core.pointee.recordKeyStart) : core.pointee.anchor
    }

    /// Publishes the parsed records as chunks and continues in a new block.
    func publish() throws {
        let earlier = samples
        samples = knownSamples()
        adoptCoreMemory()
        let storage = ChunkStorage(
            block: block, entryCount: core.pointee.entryCount, byteCount: count, prefix: prefix, base: base,
            source: source, sourceName: sourceName, shape: shape, firstNumber: firstNumber, line: line,
            lineStart: lineStart, contexts: contexts, samples: earlier, pool: pool)
        move(to: pool.take(), from: firstNeeded)
        try slice(storage)
        restartContexts()
        firstNumber += core.pointee.number
        core.pointee.number = 0
        core.pointee.entry.number = 0
        core.pointee.entryCount = 0
        rejects = []
    }

    /// Drops bytes at the start of the arena if there is nothing to publish.
    private func slide() {
        let needed = firstNeeded
        guard needed > prefix else { return }
        adoptCoreMemory()
        move(to: block, from: needed)
    }

    /// Moves the bytes from `needed` on, and the words of an unfinished record, to the start of `next`.
    private func move(to next: Block, from needed: Int) {
        let lines = lines(from: needed)
        let words = core.pointee.recordDepth >= 0 ? Int(core.pointee.entry.tape)..<core.pointee.tapeCount : 0..<0
        if next !== block {
            next.reserve(prefix + count - needed, keeping: 0)
            next.bytes.update(from: block.bytes, count: prefix)
            next.reserveTape(words.count)
        }
        (next.bytes + prefix).update(from: block.bytes + needed, count: count - needed)
        next.tape.update(from: block.tape + words.lowerBound, count: words.count)
        block = next
        core.pointee.use(next)
        let distance = needed - prefix
        count -= distance
        base += distance
        fed -= distance
        lineBegin -= distance
        lastFeed -= distance
        searched -= distance
        (line, lineStart, lineFeeds) = lines
        core.pointee.moveDown(by: distance, keeping: words)
        mode.moveDown(by: distance)
    }

    /// The values of `line`, `lineStart` and `lineFeeds` once `needed` is the first byte after the names.
    private func lines(from needed: Int) -> (line: Int, lineStart: Int, lineFeeds: Int) {
        let kept = LineFeeds.count(in: UnsafeRawBufferPointer(rebasing: bytes[needed...]))
        guard lineFeeds > kept else { return (line, lineStart, kept) }
        let last = bytes[prefix..<needed].lastIndex(of: UInt8(ascii: "\n")) ?? prefix
        return (line + lineFeeds - kept, base + last + 1, kept)
    }

    /// The samples with the latest valid records that begin before `end`.
    func knownSamples(before end: Int = .max) -> RecordSamples {
        var known = samples
        known.add(core.pointee.entries, ..<core.pointee.entryCount, of: bytes, before: end)
        return known
    }

    /// Starts a new list of contexts; an unfinished record keeps its own.
    private func restartContexts() {
        if core.pointee.recordDepth >= 0 {
            contexts = [contexts[Int(core.pointee.entry.context)]]
            core.pointee.entry.context = 0
            core.pointee.context = 0
        } else {
            contexts = []
            core.pointee.contextIsStale = true
        }
    }

    /// Delivers chunks of at most `options.chunkRecords` records.
    private func slice(_ storage: ChunkStorage) throws {
        var start = 0
        var nextReject = 0
        repeat {
            var end = min(storage.entryCount, start + options.chunkRecords)
            // Reading can resume only between two lines, and a line may hold several records.
            while shape.framing == .lines, end < storage.entryCount, storage.shareLine(end - 1, end) { end += 1 }
            let isLast = end == storage.entryCount
            let firstReject = nextReject
            while nextReject < rejects.count, isLast || rejects[nextReject].after < end { nextReject += 1 }
            let here = rejects[firstReject..<nextReject].map(\.reject)
            let verified = rejects[firstReject..<nextReject].last?.verifiedBytes ?? resumePoint.verifiedBytes
            if end > start { resumePoint = place(in: storage, after: end - 1) }
            resumePoint.verifiedBytes = verified
            var known = end
            if isLast, let last = here.last, last.offset + last.length > resumePoint.offset {
                resumePoint = resumePointAfterReject
                known = .max
            }
            outside.count(before: known)
            try deliver(
                RecordChunk(
                    storage: storage, range: start..<end, rejects: here, end: resumePoint, hasMetPath: hasMetPath,
                    outside: outside.report))
            start = end
        } while start < storage.entryCount
        outside.beginArena()
    }

    /// The position after the record at `index`, from which reading can resume.
    private func place(in storage: ChunkStorage, after index: Int) -> ResumePoint {
        let entry = storage.entry(index)
        let end = Int(entry.raw + entry.rawLength)
        guard shape.framing != .lines else {
            let lineEnd = storage.bytes[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            return ResumePoint(offset: storage.base + (lineEnd ?? storage.byteCount))
        }
        let steps = storage.path(to: entry)
        return ResumePoint(offset: storage.base + end, steps: steps, isBehindText: steps.isEmpty)
    }
}

extension ChunkStorage {
    fileprivate func shareLine(_ one: Int, _ two: Int) -> Bool {
        let end = Int(entry(one).raw + entry(one).rawLength)
        return !bytes[end..<Int(entry(two).raw)].contains(UInt8(ascii: "\n"))
    }
}
