import TributaryStore

extension ImportSummary {
    /// Adds what became of members of the records of a route, whose mapping has some paths.
    mutating func add(_ part: PreparedChunk.Part, of entity: Entity, _ paths: [MappedPath]) {
        if !part.mapping.isEmpty { add(part.mapping, of: entity.name) }
        if !part.inference.isEmpty { add(part.inference, of: entity.name) }
        if unmatched != nil { add(matched: part.matchedPaths, of: paths, entity: entity.name) }
    }

    /// Adds what became of members of the records of a chunk, and of the objects inside of them.
    mutating func add(_ chunk: RelatedChunk, of units: [RelatedPlan.Unit]) {
        for (unit, rows) in zip(units, chunk.units) {
            if !rows.report.isEmpty { add(rows.report, of: unit.entity.name) }
            if unit.isTop, unmatched != nil {
                add(matched: rows.matched, of: unit.mappedPaths, entity: unit.entity.name)
            }
        }
    }
}

extension RelatedPlan.Unit {
    /// The paths of its attributes.
    var mappedPaths: [MappedPath] {
        mapping.attributes.map { MappedPath($0.name, $0.paths[0], isKey: $0.isKey) }
    }
}

extension Journal {
    /// Counts the records of a chunk that was written, and those among them that no route takes.
    package mutating func count(_ chunk: PreparedChunk) {
        let read = chunk.recordCount + chunk.unreadable
        entry.summary.read += read
        entry.summary.counts.skipped += chunk.skipped
        entry.records += read
    }
}
