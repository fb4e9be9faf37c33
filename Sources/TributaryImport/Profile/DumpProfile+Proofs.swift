extension DumpProfile {
    /// The hashes of values that may be keys, of all threads.
    private typealias Streams = [(KeyStream, KeyStreamStore)]

    /// Proves which paths identify their objects, by the hashes that several threads have kept.
    mutating func findKeys(_ collectors: [ProfileCollector]) throws {
        var streams: [[PathProfile.Step]: Streams] = [:]
        for collector in collectors {
            for (path, stream) in collector.root.streams() {
                let known = records.path(path)
                // The values of a dictionary are those of all members, of which only some had usual names.
                guard known.last != .values else { continue }
                streams[known, default: []].append((stream, collector.keyStore))
            }
        }
        let groups = Dictionary(grouping: streams.keys) { ObjectGroup($0) }
        var shared: [ObjectGroup: Bool] = [:]
        for (group, paths) in groups where paths.count > 1 {
            let all = paths.flatMap { streams[$0] ?? [] }
            shared[group] = try !KeyProof.prove(all).isUnique
        }
        for (path, parts) in streams.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            guard let objects = records[path: path.dropLast()], let values = records[path: path[...]] else { continue }
            let count = values.count - values[.null].count
            let isScalar = values[.object].count + values[.array].count + values[.yes].count + values[.no].count == 0
            let proof = try KeyProof.prove(parts)
            keys.append(
                KeyFinding(
                    path: path, proof: proof, isInEachObject: isScalar && count == objects[.object].count && count > 0,
                    isShared: shared[ObjectGroup(path)] ?? !proof.isUnique))
        }
    }
}

/// Objects that the same link may lead to: those of members of one name, in objects of one name, with a key of one name.
private struct ObjectGroup: Hashable {
    /// The names of the key, of the member that holds the objects, and of the objects around them, in lower case.
    ///
    /// Records have fewer. Tables have the same name in any case of letters.
    private let names: [String]

    /// The group of the objects that have a value at a path.
    init(_ path: [PathProfile.Step]) {
        names = path.reversed().compactMap { if case .member(let name) = $0 { name.lowercased() } else { nil } }
            .prefix(3).map(\.self)
    }
}
