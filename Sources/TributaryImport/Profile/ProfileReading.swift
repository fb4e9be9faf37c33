import Foundation
import TributaryConcurrency
public import TributaryJSON

/// Reads sources and profiles their records, with several threads.
package final class ProfileReading: Sendable {
    /// What the threads share.
    private struct State {
        var rest: Int
        var damage = DumpProfile.Damage()
        var failure: (any Error)?
        var records = 0
        var running = 0
    }

    /// The reader, which can be cancelled: then the profile is of what was read before.
    package let reader: RecordReader
    private let sources: [any ByteSource]
    private let options: ProfileOptions
    private let threads: Int
    private let manner: DumpProfile.Manner
    private let state: Monitor<State>

    /// The records of which the members that may be keys are chosen.
    private static let sampledRecords = 1000
    /// The most threads, since each needs memory for what it has seen.
    private static let mostThreads = 8
    /// The most members of records that are examined as keys.
    private static let mostKeys = 4

    /// Prepares to read sources, or their first `limit` records.
    package init(_ sources: [any ByteSource], _ reading: ReadOptions, limit: Int? = nil, folder: String? = nil) {
        var reading = reading
        if reading.onError == .quarantine { reading.onError = .skip }
        reading.digests = false
        self.sources = sources
        manner = DumpProfile.Manner(reading)
        reader = RecordReader(from: sources, options: reading)
        var options = ProfileOptions(folder: folder ?? FileManager.default.temporaryDirectory.path)
        if let paths = reading.paths, paths.count > 1 {
            options.places = paths.map(\.profileSteps)
        }
        self.options = options
        threads = min(ProfileReading.mostThreads, max(1, reading.parsers ?? Processors.count))
        state = Monitor(State(rest: limit ?? .max))
    }

    /// Whether sources can be read again from their beginnings; standard input continues after what was read.
    package static func canReadTwice(_ sources: [any ByteSource]) -> Bool {
        sources.allSatisfy(\.canBeReadTwice)
    }

    /// The records and rejects so far.
    package var progress: (records: Int, rejects: Int) { state.read { ($0.records, $0.damage.count) } }

    /// Reads everything; `report` is called now and then meanwhile.
    ///
    /// - Throws: A `JSONError` if nothing can be read.
    package func profile(_ report: () -> Void = {}) throws -> DumpProfile {
        let first = ProfileCollector(options)
        let keys = sample(first)
        let others = (1..<threads).map { _ in
            var options = options
            options.keys = Set(keys)
            return ProfileCollector(options)
        }
        let collectors = [first] + others
        state.update { $0.running = collectors.count }
        for collector in collectors {
            let collector = UncheckedTransfer(collector)
            do {
                try WorkerThread.start(named: "profile") { self.run(collector.value) }
            } catch {
                run(collector.value)
            }
        }
        while state.wait(milliseconds: 100, until: { $0.running == 0 ? () : nil }) == nil { report() }
        reader.cancel()
        return try result(collectors)
    }

    /// Profiles the first records, and returns the members that may be keys.
    private func sample(_ collector: ProfileCollector) -> [[PathProfile.Step]] {
        while state.read({ $0.records < ProfileReading.sampledRecords }), let (chunk, count) = next() {
            let rest = min(count, max(0, ProfileReading.sampledRecords - collector.recordCount))
            collector.add(chunk, 0..<rest)
            if rest == count { continue }
            let keys = collector.chooseKeys(ProfileReading.mostKeys)
            collector.add(chunk, rest..<count)
            return keys
        }
        return collector.chooseKeys(ProfileReading.mostKeys)
    }

    private func run(_ collector: ProfileCollector) {
        while let (chunk, count) = next() { collector.add(chunk, 0..<count) }
        state.update { $0.running -= 1 }
    }

    /// The next chunk, and the number of its records that count; nil at the end.
    private func next() -> (RecordChunk, Int)? {
        state.update { state in
            guard state.failure == nil, state.rest > 0 else { return nil }
            do {
                guard let chunk = try reader.next() else { return nil }
                let count = min(state.rest, chunk.count)
                let end = count < chunk.count || count == state.rest ? count > 0 ? chunk[count - 1].offset : 0 : .max
                for reject in chunk.rejects where reject.offset < end { state.damage.add(reject) }
                state.rest -= count
                state.records += count
                return (chunk, count)
            } catch {
                state.failure = error
                return nil
            }
        }
    }

    private func result(_ collectors: [ProfileCollector]) throws -> DumpProfile {
        let report = reader.report
        var (damage, isWhole) = (state.read { $0.damage }, state.read { $0.rest > 0 })
        switch state.read({ $0.failure }) {
        case nil: break
        case is CancellationError: isWhole = false
        case let error as JSONError:
            guard state.read({ $0.records + $0.damage.count }) > 0 else { throw error }
            damage.end = "\(error)"
            isWhole = false
        case let error?: throw error
        }
        var profile = try DumpProfile(collectors)
        (profile.damage, profile.isWhole, profile.recordCount) = (damage, isWhole, state.read { $0.records })
        (profile.bytes, profile.storedBytes, profile.outside) = (report.bytes, report.storedBytes, report.outside)
        profile.manner = manner
        profile.sources = report.sources.enumerated().map { index, source in
            let origin = index < sources.count ? sources[index] : nil
            let rows = origin as? TableSource
            return DumpProfile.Source(
                name: source.name, layout: rows?.layout ?? source.layout, paths: source.shape.paths.map { "\($0)" },
                mark: origin.flatMap { SourceMark($0) }, tables: rows?.tables.map(\.name))
        }
        return profile
    }
}

extension DumpProfile {
    /// Reads sources and profiles their records.
    ///
    /// - Parameters:
    ///   - sources: The files, or other sources.
    ///   - reading: How they are read; records that cannot be read are counted.
    ///   - limit: The most records to read; nil for all.
    ///   - folder: The folder for a temporary file with the keys of many records; nil for the usual one.
    /// - Throws: `JSONError` if nothing can be read.
    public init(
        of sources: [any ByteSource], reading: ReadOptions = ReadOptions(), limit: Int? = nil,
        folder: String? = nil
    ) throws {
        var reading = reading
        if reading.onError == .stop { reading.onError = .skip }
        do {
            self = try ProfileReading(sources, reading, limit: limit, folder: folder).profile()
        } catch let error as JSONError where error.code == .shapeAmbiguous && ProfileReading.canReadTwice(sources) {
            reading.paths = try RecordPlaces.find(in: sources, reading)
            self = try ProfileReading(sources, reading, limit: limit, folder: folder).profile()
        }
    }

    /// What several threads have seen of the same sources.
    init(_ collectors: [ProfileCollector]) throws {
        let resolution = Resolution(values: collectors.map(\.resolution.values).min() ?? Resolution.most)
        for collector in collectors {
            let part = collector.root.profile(resolution)
            if collector === collectors.first { records = part } else { records.merge(part, resolution) }
            further.merge(collector.furtherPaths)
        }
        finish(resolution)
        try findKeys(collectors)
    }

    /// Keeps no more than is kept of all values together.
    mutating func finish(_ resolution: Resolution) {
        var counts: [Int] = []
        records.countPaths(&counts)
        let kept = PathLimits.kept(counts)
        further.depth = min(further.depth, kept.depth)
        records.cut(depth: further.depth, hash: PathHash.records, &further)
        resolution.kept = records.kept(resolution.values)
        while resolution.isExceeded {
            resolution.halve()
            resolution.kept = records.kept(resolution.values)
        }
        records.finish(resolution)
        self.resolution = resolution.values
    }
}

extension DumpProfile.Damage {
    fileprivate mutating func add(_ reject: Reject) {
        count += 1
        bytes += reject.length
        if first.count < DumpProfile.Damage.mostLines { first.append("\(reject.error)") }
    }
}
