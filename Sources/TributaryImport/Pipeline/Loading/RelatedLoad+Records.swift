import TributaryStore
import TributarySQLite

/// One record of a chunk that is loaded.
extension RelatedLoad {
    /// A hash of the key of an object and its unit.
    private func hash(_ id: RelatedChunk.RowID, _ work: LoadedChunk) -> UInt64 {
        let hash = work.chunk.units[Int(id.unit)].batch.entries[Int(id.row)].hash
        return (hash ^ UInt64(id.unit + 1)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Finds the primary keys of all objects of a record.
    ///
    /// - Returns: If the record must be held back, the hashes of the objects that it changes or makes; nil if it need not.
    func load(_ index: Int, _ work: inout LoadedChunk) -> [UInt64]? {
        work.new.removeAll(keepingCapacity: true)
        work.found.removeAll(keepingCapacity: true)
        work.waiting.removeAll(keepingCapacity: true)
        work.waitingTargets.removeAll(keepingCapacity: true)
        var changed: [UInt64] = []
        var isHeldBack = false
        for number in work.parts.objects[index] {
            let id = work.chunk.objects[Int(number)]
            let (unit, row) = (Int(id.unit), Int(id.row))
            let isPlain = isPlain[unit]
            if isWaiting, hasKey[unit], waiting.contains(hash(id, work)) {
                changed.append(hash(id, work))
                continue
            }
            if work.keys[unit][row] != 0 {
                if !isPlain { changed.append(hash(id, work)) }
                continue
            }
            let batch = work.chunk.units[unit].batch
            switch objects[unit].find(row, of: batch) {
            case .new:
                work.keys[unit][row] = work.firsts[plan.units[unit].table] + Int64(batch.entries[row].ordinal)
                work.new.append(id)
            case .known(let key):
                work.keys[unit][row] = key
                work.found.append(id)
                if !isPlain { changed.append(hash(id, work)) }
            case .unsure: changed.append(hash(id, work))
            }
        }
        for id in work.found {
            let (unit, row) = (Int(id.unit), Int(id.row))
            let isEqual =
                replaceLinks(id, isNew: false, &work) && objects[unit].isEqual(row, of: work.chunk.units[unit].batch)
            if !isEqual { changed.append(hash(id, work)) }
        }
        for id in work.new where !replaceLinks(id, isNew: true, &work) { isHeldBack = true }
        for list in joins.indices {
            let isColumn = joins[list] == nil
            for place in work.mentions(of: index, in: list) {
                let mention = work.chunk.mentions[list][place]
                for other in mention.others {
                    let (row, position) = work.chunk.others[list][Int(other)]
                    if key(row, &work) == 0 {
                        let reference = LoadedChunk.Reference(
                            owner: mention.owner, relation: Int(mention.relation), position: position, target: row)
                        if isColumn || !wait(reference, &work) { isHeldBack = true }
                    }
                    // An object that its owner only refers to changes with it.
                    guard isColumn, !mention.isWritten, hasKey[Int(row.unit)] else { continue }
                    changed.append(hash(row, work))
                }
            }
        }
        guard isHeldBack || !changed.isEmpty else { return nil }
        return changed + work.new.compactMap { hasKey[Int($0.unit)] ? hash($0, work) : nil }
    }

    /// Lets a reference wait for its object; false if an object may have its key already, or it is listed by it.
    private func wait(_ reference: LoadedChunk.Reference, _ work: inout LoadedChunk) -> Bool {
        let (target, owner) = (reference.target, reference.owner)
        let (unit, row) = (Int(target.unit), Int(target.row))
        guard isReference(target, work), objects[unit].isMissing(row, of: work.chunk.units[unit].batch) else {
            return false
        }
        if case .pairs(_, true, _) = plan.units[Int(owner.unit)].relations[reference.relation].way { return false }
        if work.waitingTargets.insert(reference).inserted { work.waiting.append(reference) }
        return true
    }

    private func isReference(_ id: RelatedChunk.RowID, _ work: LoadedChunk) -> Bool {
        work.chunk.units[Int(id.unit)].batch.entries[Int(id.row)].kind == .reference
    }

    /// The primary key of a row of the current record, or of the object that it refers to; 0 if it is not known.
    private func key(_ id: RelatedChunk.RowID, _ work: inout LoadedChunk) -> Int64 {
        let (unit, row) = (Int(id.unit), Int(id.row))
        let known = work.keys[unit][row]
        let batch = work.chunk.units[unit].batch
        if isWaiting, hasKey[unit], waiting.contains(hash(id, work)) { return 0 }
        guard batch.entries[row].kind == .reference else { return known }
        if known != 0 { return known }
        guard case .known(let key) = objects[unit].find(row, of: batch) else { return 0 }
        work.keys[unit][row] = key
        return key
    }

    /// Replaces the links in the columns of a row by primary keys; false if one is not known.
    private func replaceLinks(_ id: RelatedChunk.RowID, isNew: Bool, _ work: inout LoadedChunk) -> Bool {
        let unit = plan.units[Int(id.unit)]
        guard !unit.columns.isEmpty else { return true }
        var isComplete = true
        let chunk = work.chunk
        chunk.units[Int(id.unit)].batch.replaceLinks(ofRow: Int(id.row), count: unit.columns.count) { column, link in
            guard let link else {
                // Null ends the wait of an earlier reference.
                if !isNew, isReferring, unit.relationOfColumn[column] != nil { isComplete = false }
                return .null
            }
            let target = RowLink.target(link, chunk.objects)
            let key = key(target, &work)
            if key != 0 { return .key(key) }
            let reference = unit.relationOfColumn[column].map {
                LoadedChunk.Reference(owner: id, relation: $0, position: 0, target: target)
            }
            if isNew, let reference, wait(reference, &work) { return .null }
            isComplete = false
            return .key(0)
        }
        return isComplete
    }

    /// Writes the new rows of the current record, and its pairs.
    func write(_ record: Int, _ work: inout LoadedChunk) throws {
        for list in joins.indices {
            for place in work.mentions(of: record, in: list) {
                let mention = work.chunk.mentions[list][place]
                let owner = work.keys[Int(mention.owner.unit)][Int(mention.owner.row)]
                let relation = plan.units[Int(mention.owner.unit)].relations[Int(mention.relation)]
                let isFromTarget = if case .pairs(_, true, _) = relation.way { true } else { false }
                work.listed.removeAll(keepingCapacity: true)
                for other in mention.others {
                    let (row, position) = work.chunk.others[list][Int(other)]
                    let (unit, index) = (Int(row.unit), Int(row.row))
                    guard let join = joins[list] else {
                        // Of an object that is listed twice the first position counts.
                        guard case .pairs(_, _, let column?) = relation.way, !work.positions[unit].isEmpty,
                            work.positions[unit][index] == nil
                        else { continue }
                        work.positions[unit][index] = LoadedChunk.Position(column: column, position: position)
                        continue
                    }
                    let key = work.keys[unit][index]
                    guard key != 0, !work.isListed(key) else { continue }
                    if isFromTarget {
                        try join.add(key, owner, position: Int64(work.listed.count - 1))
                    } else {
                        try join.add(owner, key, position: Int64(position))
                    }
                }
            }
        }
        for id in work.new {
            let (unit, row) = (Int(id.unit), Int(id.row))
            let position = work.positions[unit].isEmpty ? nil : work.positions[unit][row]
            try objects[unit].add(work.keys[unit][row], row, of: work.chunk.units[unit].batch) { column in
                position.flatMap { $0.column == column ? Int64($0.position) : nil }
            }
        }
    }

    func count(_ range: Range<Int32>, _ work: LoadedChunk, _ outcome: inout Outcome) {
        let objects = work.chunk.objects[Int(range.lowerBound)..<Int(range.upperBound)]
        guard let top = objects.first else { return }
        if work.new.first == top { outcome.counts.inserted += 1 } else { outcome.counts.unchanged += 1 }
        for id in work.new { outcome.keys[Int(id.unit)].append(work.keys[Int(id.unit)][Int(id.row)]) }
        for id in objects.dropFirst() { outcome.related[Int(id.unit)].unchanged += 1 }
        for id in work.new where id != top {
            outcome.related[Int(id.unit)].unchanged -= 1
            outcome.related[Int(id.unit)].inserted += 1
        }
    }
}
