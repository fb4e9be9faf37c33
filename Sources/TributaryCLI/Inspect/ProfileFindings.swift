import TributaryImport

/// What a profile tells beyond its figures: keys, references, and what a reader has to know of.
struct ProfileFindings {
    let profile: DumpProfile
    private let keys: [[PathProfile.Step]: KeyFinding]
    private let references: [[PathProfile.Step]: ReferenceFinding]

    init(_ profile: DumpProfile) {
        self.profile = profile
        keys = Dictionary(uniqueKeysWithValues: profile.keys.map { ($0.path, $0) })
        references = Dictionary(uniqueKeysWithValues: profile.references.map { ($0.path, $0) })
    }

    /// The path of the records.
    var place: String {
        let places = Set(profile.sources.map(\.paths))
        guard places.count == 1, let paths = places.first else { return "" }
        return paths.count == 1 ? paths[0] : "."
    }

    /// The path of the records with a path inside of them.
    private func shown(_ path: [PathProfile.Step]) -> String {
        let name = DumpProfile.name(of: path)
        let place = place == "." ? "" : place
        return place + (name.isEmpty || name.hasPrefix("[") || name.hasPrefix("{") ? name : ".\(name)")
    }

    /// Whether the values identify objects by the name of their path, or nothing else does.
    private func isUsualKey(_ path: [PathProfile.Step]) -> Bool {
        profile.key(of: Array(path.dropLast()))?.path == path
    }

    /// The number of different values of a row, exact where all values were compared.
    func different(_ row: ProfileRow) -> String {
        if let proof = keys[row.path]?.proof { return FigureText.grouped(proof.count - proof.repeats) }
        return row.profile.values.map { ProfileWords.different($0.different) } ?? ""
    }

    /// What is remarkable about the values at a path, in few words.
    func remarks(_ path: [PathProfile.Step]) -> [String] {
        var remarks: [String] = []
        if let key = keys[path] {
            if key.isKey {
                remarks.append(isUsualKey(path) ? "key" : "unique")
            } else if let proof = key.proof, proof.repeats > 0, proof.repeats * 100 <= proof.count {
                remarks.append("\(FigureText.grouped(proof.repeats)) repeat")
            }
        }
        if let reference = references[path] {
            let dangling =
                reference.dangling == 0
                ? "" : " (\(reference.dangling) of \(FigureText.grouped(reference.compared)) dangling)"
            remarks.append("→ \(shown(reference.target))\(dangling)")
        }
        if let texts = profile.records[path: path[...]]?.values?.texts, texts.count(of: .leadingZeros) > 0 {
            let share = FigureText.percent(texts.count(of: .leadingZeros), of: texts.count)
            remarks.append("\(share) with leading zeros")
        }
        return remarks
    }

    /// The lines about what a reader has to know of, each with the first place of it.
    var notes: [String] {
        var notes: [String] = []
        profile.records.forEach { path, profile in
            let name = shown(path).isEmpty ? "." : shown(path)
            let kinds = profile.type == .mixed ? ProfileWords.kinds(profile) : []
            for (word, found) in kinds.dropFirst() {
                notes.append(
                    "\(name): \(word) ×\(FigureText.grouped(found.count)) beside \(kinds[0].word); first: \(place(found))"
                )
            }
            add(
                profile[.duplicateKey], name, "object has a key twice", "objects have a key twice",
                "the last value counts", &notes)
            add(
                profile[.beyondInt64], name, "integer has more than 64 bits", "integers have more than 64 bits",
                "text keeps them",
                &notes)
            if profile[.beyondDouble].count > profile[.beyondInt64].count {
                add(
                    profile[.beyondDouble], name, "integer is beyond 2^53", "integers are beyond 2^53",
                    "JavaScript rounds them", &notes)
            }
            add(
                profile[.inexact], name, "number has more digits than a double",
                "numbers have more digits than a double",
                "--numbers exact keeps them", &notes)
            notes += sameNames(profile, name)
        }
        return notes
    }

    private func add(
        _ found: PathProfile.Occurrence, _ name: String, _ one: String, _ many: String, _ advice: String,
        _ notes: inout [String]
    ) {
        guard found.count > 0 else { return }
        let what = found.count == 1 ? "1 \(one)" : "\(FigureText.grouped(found.count)) \(many)"
        notes.append("\(name): \(what) (\(advice)); first: \(place(found))")
    }

    /// The names of members that differ in case only.
    private func sameNames(_ profile: PathProfile, _ name: String) -> [String] {
        let members = profile.children.compactMap { child -> (String, PathProfile)? in
            if case .member(let name) = child.step { (name, child) } else { nil }
        }
        return Dictionary(grouping: members) { $0.0.lowercased() }.filter { $0.value.count > 1 }
            .sorted { $0.key < $1.key }
            .map { _, same in
                let names = same.map { Excerpt.escape($0.0) }.joined(separator: " and ")
                let rarest = same.min { $0.1.count < $1.1.count }
                let count = rarest?.1.count ?? 0
                let first = rarest?.1.first.map(place) ?? ""
                return
                    "\(name): \(names) differ in case only; \(Excerpt.escape(rarest?.0 ?? "")) ×\(FigureText.grouped(count)), first: \(first)"
            }
    }

    private func place(_ found: PathProfile.Occurrence) -> String { found.first.map(place) ?? "" }

    /// The place of a value in words.
    func place(_ place: ValuePlace) -> String {
        // Rows are counted through all tables, and have no lines.
        if profile.isOfRows { return "row \(FigureText.grouped(place.record))" }
        let name =
            profile.sources.count > 1 && place.source < profile.sources.count
            ? Excerpt.escape(profile.sources[place.source].name) + ", " : ""
        return
            "\(name)record \(FigureText.grouped(place.record)), line \(FigureText.grouped(place.line)), byte \(FigureText.grouped(place.byte))"
    }
}
