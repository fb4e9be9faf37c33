import TributaryConcurrency
import TributaryImport
import TributaryJSON

/// The columns that the records of a route need, and the kinds of their values, as a profile of a dump tells.
///
/// A column of PostgreSQL has one type for all rows, so all values must be known before the first row is written.
struct ColumnSurvey: Sendable {
    /// A column.
    struct Column: Sendable {
        /// The keys that lead to its values in a record; none for a record that is no object.
        let path: [String]
        var kinds: ColumnKinds
    }

    /// The columns, in the order in which they first occur.
    let columns: [Column]

    /// Reads sources to their ends, or to `limit` records, once for all routes; the reader can be cancelled.
    static func read(
        _ sources: [any ByteSource], _ reading: ReadOptions, _ routes: [ImportRoute], limit: Int?,
        onReader: (RecordReader) -> Void
    ) throws -> [ColumnSurvey] {
        let choice = RouteChoice(routes)
        var reading = reading
        if !choice.paths.isEmpty { reading.paths = choice.paths }
        if reading.onError == .quarantine { reading.onError = .skip }
        reading.digests = false
        let reader = RecordReader(from: sources, options: reading)
        onReader(reader)
        struct Intake {
            var rest: Int
            var failure: (any Error)?
        }
        let intake = Guarded(Intake(rest: limit ?? .max))
        let threads = max(1, Processors.count)
        let running = Monitor(threads)
        // For each thread a collector for each route.
        let collectors = (0..<threads).map { _ in
            routes.map { route in
                let paths = ChosenPaths(route)
                return ProfileCollector { steps in
                    let path = steps.map(\.name)
                    return (paths.leads(to: path), paths.opens(path))
                }
            }
        }
        @Sendable func survey(_ collectors: [ProfileCollector]) {
            while true {
                let next = intake.withLock { intake -> (RecordChunk, Int)? in
                    guard intake.failure == nil, intake.rest > 0 else { return nil }
                    do {
                        guard let chunk = try reader.next() else { return nil }
                        let count = min(intake.rest, chunk.count)
                        intake.rest -= count
                        return (chunk, count)
                    } catch {
                        intake.failure = error
                        return nil
                    }
                }
                guard let (chunk, count) = next else { break }
                for index in 0..<count {
                    if let route = choice.route(of: chunk[index]) { collectors[route].add(chunk, index..<index + 1) }
                }
                if let full = collectors.firstIndex(where: \.isFull) {
                    intake.withLock { $0.failure = InferredTable.tooManyColumns(routes[full]) }
                }
            }
            running.update { $0 -= 1 }
        }
        for index in 1..<threads {
            let own = UncheckedTransfer(collectors[index])
            do { try WorkerThread.start { survey(own.value) } } catch { running.update { $0 -= 1 } }
        }
        survey(collectors[0])
        running.wait { $0 == 0 ? () : nil }
        reader.cancel()
        if let failure = intake.withLock({ $0.failure }) { throw failure }
        return routes.enumerated().map { index, route in
            ColumnSurvey(ProfileCollector.kinds(collectors.map { $0[index] }), route)
        }
    }
}

extension ColumnSurvey {
    /// The columns of a route for records with a profile.
    init(_ records: PathProfile, _ route: ImportRoute) {
        let paths = ChosenPaths(route)
        let isExact = route.inference?.numbers == .exact
        var found: [(column: Column, first: ValuePlace)] = []
        func add(_ profile: PathProfile, _ path: [String]) {
            // A record that is an object has no column for itself.
            let occurrences = ValueKind.allCases.filter { !path.isEmpty || $0 != .object }.map { profile[$0].first }
            let first = occurrences.compactMap(\.self).min()
            let isOpen = paths.opens(path)
            var kinds = ColumnKinds(profile, isExact: isExact)
            // An object whose members are columns has none itself, unless it was chosen.
            let objects = isOpen && !paths.isChosen(path) ? profile.empty : profile[.object].count
            if !path.isEmpty, objects > 0 { kinds.insert(.nested) }
            let isOnlyOpened =
                path.isEmpty
                ? profile.count == profile[.object].count : kinds.isEmpty && isOpen && profile[.object].count > 0
            // Names that are equal as strings are one column.
            if let known = found.firstIndex(where: { $0.column.path == path }) {
                found[known].column.kinds.formUnion(kinds)
            } else if let first, !isOnlyOpened, paths.takes(path) {
                found.append((Column(path: path, kinds: kinds), first))
            }
            guard isOpen else { return }
            for child in profile.children {
                if case .member(let name) = child.step { add(child, path + [name]) }
            }
        }
        add(records, [])
        self.init(columns: found.sorted { $0.first < $1.first }.map(\.column))
    }

    /// The columns of a route for the records of a dump with a profile.
    ///
    /// - Throws: `ImportError` if the profile does not tell all members.
    init(_ profile: DumpProfile, _ route: ImportRoute) throws {
        let isAtSeveralPlaces = profile.paths.count > 1 && profile.records.count == 0
        let steps = isAtSeveralPlaces ? route.path?.profileSteps ?? [] : []
        let records = profile.records[path: steps[...]]
        let paths = ChosenPaths(route)
        var isComplete = profile.further.isEmpty
        records?.forEach { path, found in
            if found.isDictionary, paths.opens(path.map(\.name)) { isComplete = false }
        }
        guard isComplete else {
            throw ImportError(
                .route, "the profile does not tell all members of the records", hint: "import without it")
        }
        if let records { self.init(records, route) } else { self.init(columns: []) }
    }
}

extension PathProfile.Step {
    /// The name of a member; empty for other steps.
    fileprivate var name: String { if case .member(let name) = self { name } else { "" } }
}
