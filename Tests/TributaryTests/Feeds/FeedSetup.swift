import TributaryTestSupport

import Tributary

/// The settings of an import, none of which may change its result.
struct FeedSetup: Sendable, CustomStringConvertible {
    var batchSize = 10_000
    var jobs = 2
    var bufferBytes = 256 << 10
    var chunkBytes = 1 << 20
    var maxMemory = 128 << 20
    var piece = 1 << 20
    /// The least bytes between the borders at which a source is divided between parsers; nil for the default.
    var stretchBytes: Int?
    /// The memory for the keys of a load; nil for the default.
    var loadBytes: Int?
    /// Whether an empty table is filled page by page.
    var isDirect = false
    /// How often the import is interrupted before it may finish.
    var interruptions = 0
    /// The number of statements after which another writer asks for the store, repeatedly; nil for no other writer.
    var nudge: Int?

    /// The default settings.
    init() {}

    /// Random settings.
    init(_ lots: inout SeededGenerator) {
        redraw(&lots)
        isDirect = lots.once(in: 2)
        interruptions = lots.once(in: 2) ? 1 + lots.below(20) : 0
    }

    /// Draws new values of the settings that may change when an import resumes.
    mutating func redraw(_ lots: inout SeededGenerator) {
        batchSize = lots.pick([1, 2, 3, 7, 20, 100, 10_000])
        jobs = 1 + lots.below(8)
        bufferBytes = lots.pick([1, 13, 256, 4096, 256 << 10])
        chunkBytes = lots.pick([1, 4096, 1 << 20])
        maxMemory = lots.pick([1, 48 << 20, 128 << 20])
        piece = lots.pick([7, 100, 5000, 1 << 20])
        nudge = lots.once(in: 3) ? 1 + lots.below(40) : nil
        stretchBytes = lots.pick([nil, 300, 5000])
        loadBytes = lots.pick([nil, 64, 1024])
    }

    func options(_ mode: ImportMode, rejects: String) -> ImportOptions {
        var options = ImportOptions()
        options.mode = mode
        options.batchSize = batchSize
        options.jobs = jobs
        options.reading.bufferBytes = bufferBytes
        options.reading.chunkBytes = chunkBytes
        options.reading.stretchBytes = stretchBytes
        options.maxMemory = maxMemory
        options.loadBytes = loadBytes
        options.rejects = rejects
        options.firstLoad = isDirect ? .direct : .inGroups
        options.resuming = .resume
        return options
    }

    var description: String {
        "batch \(batchSize), jobs \(jobs), buffer \(bufferBytes), chunk \(chunkBytes), memory \(maxMemory), "
            + "piece \(piece), stretch \(stretchBytes ?? 0), "
            + "keys \(loadBytes ?? 0), \(isDirect ? "direct" : "in groups"), \(interruptions) interruptions, nudge \(nudge ?? 0)"
    }
}
