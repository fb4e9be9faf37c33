import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Random libraries: no setting, interruption or order changes what they become (P2, P3, P4).
///
/// `TRIBUTARY_LIBRARIES` sets the number of libraries.
@Suite struct LibraryPropertyTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_LIBRARIES"].flatMap { Int($0) } ?? 25

    /// Imports a text with random settings, interrupted now and then.
    private func take(
        _ text: String, as entity: String, into store: MappedStore, _ lots: inout SeededGenerator,
        mode: ImportMode = .upsert, mappings: Mappings = [:]
    ) throws {
        let interruptions = lots.once(in: 2) ? lots.below(5) : 0
        let name = "feed \(lots.next())"
        for round in 0...interruptions {
            var setup = FeedSetup()
            setup.redraw(&lots)
            var options = setup.options(mode, rejects: store.folder.path("rejects.ndjson"))
            options.rejects = nil
            options.onError = .quarantine
            options.mappings = mappings
            let bytes = Array(text.utf8)
            var source = FeedSource(name: name, bytes: bytes, piece: setup.piece)
            let held = Guarded<StreamImport?>(nil)
            if round < interruptions {
                let cancel: @Sendable () -> Void = { held.withLock { $0 }?.cancel() }
                source.event = (lots.below(bytes.count + 1), lots.once(in: 2) ? .failure : .call(cancel))
            }
            let feed = StreamImport(
                into: store.manager, from: [source], routes: [.rows(entity, at: "[]")], options: options)
            held.withLock { $0 = feed }
            defer { held.withLock { $0 = nil } }
            do {
                if case .finished = try feed.perform() { return }
            } catch let error as JSONError where round < interruptions && error.code == .sourceRead {
                continue
            }
        }
        Issue.record("the import of \(entity) never ended")
    }

    /// The lines of one list without those of the other.
    private func changes(_ found: [String], _ expected: [String]) -> String {
        "\nfound: \(Set(found).subtracting(expected).sorted())\nexpected: \(Set(expected).subtracting(found).sorted())"
    }

    @Test("Agreeing records give the same content in any order and with any settings")
    func anyOrder() throws {
        var lots = SeededGenerator.sampled(7_000)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let feed = LibraryFeed(agreeing: &own)
            for way in 0..<3 {
                let store = try MappedStore.library()
                let files = way == 0 ? feed.files : feed.files.shuffled(using: &own)
                for file in files { try take(file.text, as: file.entity, into: store, &own) }
                let (found, expected) = (try store.libraryContent(), feed.content)
                let place = "library \(number), seed \(seed), way \(way), order \(files.map(\.entity))"
                let isEqual = found == expected
                #expect(isEqual, "\(place): \(changes(found, expected))\n\(files.map(\.text))")
                #expect(try store.libraryFaults() == [], "\(place)")
                if found != expected { return }
            }
        }
    }

    @Test(
        "Contradicting records give the same rows with any settings",
        arguments: [ImportMode.upsert, .replace, .insert, .update, .ignore])
    func anySettings(_ mode: ImportMode) throws {
        var lots = SeededGenerator.sampled(7_100, case: UInt64(mode.rawValue.count))
        for number in 0..<(Self.count + Self.count / 2) {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            // In some more, records add to lists.
            let adds = number >= Self.count
            let feeds = (0..<3).map { _ in
                let entity = own.pick(["Author", "Book", "Tag"])
                return (entity, LibraryFeed.contradicting(entity, &own), adds ? Mappings(adding: &own) : [:])
            }
            var expected: [String]?
            for way in 0..<3 {
                let store = try MappedStore.library()
                for (index, feed) in feeds.enumerated() {
                    try take(
                        feed.1, as: feed.0, into: store, &own, mode: index == 0 ? .upsert : mode, mappings: feed.2)
                }
                let found = try store.libraryDump(hasPlaces: !adds)
                let place = "library \(number), seed \(seed), way \(way), \(mode)"
                let isEqual = found == expected ?? found
                #expect(isEqual, "\(place): \(changes(found, expected ?? []))\n\(feeds)")
                #expect(try store.libraryFaults() == [], "\(place)")
                if let expected, found != expected { return }
                expected = found
            }
        }
    }
}
