extension RecordParser {
    /// After each piece of input: publishes a full chunk, and drops bytes that are no longer needed.
    func publishIfFull() throws {
        let isFull = count - prefix >= options.chunkBytes && !mayBeStrayArray
        let hasContents = core.pointee.entryCount > 0 || !rejects.isEmpty
        if core.pointee.entryCount >= options.chunkRecords || isFull && hasContents {
            publish()
        } else if isFull {
            slide()
        }
    }

    /// The first byte that is still needed.
    private var firstNeeded: Int { max(prefix, firstUnfinished - RecordParser.contextBytes) }

    /// The first byte that is not finished.
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
    func publish() {
        let earlier = samples
        samples = knownSamples()
        let needed = firstNeeded
        let lines = lines(from: needed)
        adoptCoreMemory()
        let full = block
        let fullCount = count
        let entryCount = core.pointee.entryCount
        let storage = ChunkStorage(
            block: full, entryCount: entryCount, byteCount: fullCount, prefix: prefix, base: base, source: source,
            sourceName: sourceName, shape: shape, firstNumber: firstNumber, line: line, lineStart: lineStart,
            contexts: contexts, samples: earlier, pool: pool)
        let next = pool.take()
        next.reserve(prefix + fullCount - needed, keeping: 0)
        next.bytes.update(from: full.bytes, count: prefix)
        (next.bytes + prefix).update(from: full.bytes + needed, count: fullCount - needed)
        let words = core.pointee.recordDepth >= 0 ? Int(core.pointee.entry.tape)..<core.pointee.tapeCount : 0..<0
        if words.count > next.tapeCapacity {
            next.tape.deallocate()
            next.tapeCapacity = words.count * 2
            next.tape = .allocate(capacity: next.tapeCapacity)
        }
        next.tape.update(from: full.tape + words.lowerBound, count: words.count)
        block = next
        core.pointee.arena = next.bytes
        core.pointee.tape = next.tape
        core.pointee.tapeCapacity = next.tapeCapacity
        core.pointee.entries = next.entries
        core.pointee.entryCapacity = next.entryCapacity
        moveDown(to: needed, droppingWords: words.lowerBound, keepingWords: words.count)
        (line, lineStart, lineFeeds) = lines
        slice(storage)
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
        let lines = lines(from: needed)
        let words = core.pointee.recordDepth >= 0 ? Int(core.pointee.entry.tape)..<core.pointee.tapeCount : 0..<0
        (block.bytes + prefix).update(from: block.bytes + needed, count: count - needed)
        core.pointee.tape.update(from: core.pointee.tape + words.lowerBound, count: words.count)
        moveDown(to: needed, droppingWords: words.lowerBound, keepingWords: words.count)
        (line, lineStart, lineFeeds) = lines
    }

    /// Corrects all offsets after the byte `needed` has become the first one after the names.
    private func moveDown(to needed: Int, droppingWords: Int, keepingWords: Int) {
        let distance = needed - prefix
        count -= distance
        base += distance
        fed -= distance
        lineBegin -= distance
        lastFeed -= distance
        searched -= distance
        let core = core
        core.pointee.anchor -= distance
        core.pointee.valueEnd -= distance
        core.pointee.closedEnd -= distance
        core.pointee.recordKeyStart -= distance
        core.pointee.recordKey = core.pointee.recordKey.moved(down: distance)
        core.pointee.tapeCount = keepingWords
        if core.pointee.recordDepth >= 0 {
            core.pointee.entry.raw -= UInt32(distance)
            core.pointee.entry.tape = 0
            for level in core.pointee.recordDepth + 1..<core.pointee.depth + 1 {
                core.pointee.opens[level] -= droppingWords
            }
            for index in 0..<keepingWords where core.pointee.tape[index].offset >= prefix {
                core.pointee.tape[index] = core.pointee.tape[index].moved(down: distance)
            }
        }
        switch mode {
        case .seeking(var damage):
            damage.moveDown(by: distance)
            mode = .seeking(damage)
        case .dropping(var damage, var scan):
            damage.moveDown(by: distance)
            scan.position -= distance
            mode = .dropping(damage, scan)
        case .reporting(var fault, let steps):
            fault.offset -= distance
            mode = .reporting(fault, steps)
        default: break
        }
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

    /// Makes chunks of at most `options.chunkRecords` records.
    private func slice(_ storage: ChunkStorage) {
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
            output.append(
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
        if shape.framing == .lines {
            let lineEnd = storage.bytes[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            return ResumePoint(
                offset: storage.base + (lineEnd ?? storage.byteCount), steps: [], isBehindText: false,
                verifiedBytes: resumePoint.verifiedBytes)
        } else {
            let steps = storage.path(to: entry)
            return ResumePoint(
                offset: storage.base + end, steps: steps, isBehindText: steps.isEmpty,
                verifiedBytes: resumePoint.verifiedBytes)
        }
    }
}

extension ChunkStorage {
    /// Whether two records are on the same line.
    fileprivate func shareLine(_ one: Int, _ two: Int) -> Bool {
        let end = Int(entry(one).raw + entry(one).rawLength)
        return !bytes[end..<Int(entry(two).raw)].contains(UInt8(ascii: "\n"))
    }
}
