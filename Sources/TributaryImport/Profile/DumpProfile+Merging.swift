extension DumpProfile {
    /// Adds the profile of another part of a dump, such as that of the next day; its sources follow those of this one.
    ///
    /// Figures are those of all records. Whether values identify objects is no longer proved.
    public mutating func merge(_ other: DumpProfile) {
        let resolution = Resolution(values: min(resolution, other.resolution))
        var theirs = other.records
        theirs.moveSources(by: sources.count)
        if recordCount == 0 { records = theirs } else { records.merge(theirs, resolution) }
        recordCount += other.recordCount
        sources += other.sources
        if manner != other.manner { manner = nil }
        (isWhole, bytes) = (isWhole && other.isWhole, bytes + other.bytes)
        storedBytes += other.storedBytes
        damage.merge(other.damage)
        outside = outside.adding(other.outside)
        further.merge(other.further)
        let known = Dictionary(keys.map { ($0.path, $0) }) { one, _ in one }
        keys = other.keys.compactMap { key in
            known[key.path].map {
                KeyFinding(
                    path: key.path, proof: nil, isInEachObject: $0.isInEachObject && key.isInEachObject, isShared: nil)
            }
        }
        finish(resolution)
    }
}

extension DumpProfile.Damage {
    fileprivate mutating func merge(_ other: DumpProfile.Damage) {
        count += other.count
        bytes += other.bytes
        first = Array((first + other.first).prefix(DumpProfile.Damage.mostLines))
        end = end ?? other.end
    }
}

extension PathProfile {
    /// Counts sources from another number on.
    fileprivate mutating func moveSources(by count: Int) {
        for kind in ValueKind.allCases { self[kind].moveSources(by: count) }
        for anomaly in Anomaly.allCases { self[anomaly].moveSources(by: count) }
        for index in children.indices { children[index].moveSources(by: count) }
    }
}

extension PathProfile.Occurrence {
    fileprivate mutating func moveSources(by count: Int) {
        first = first.map {
            ValuePlace(source: $0.source + count, record: $0.record, line: $0.line, byte: $0.byte)
        }
    }
}
