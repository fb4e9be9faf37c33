public import Foundation
public import TributaryGraph
public import TributaryImport

extension ContextManager {
    /// Plants seed files of any size: makes their objects and saves them, all or none.
    ///
    ///     try manager.seed(from: URL(filePath: "Main.seed.json"))
    ///
    /// `ManagedObjectContext.seed(from:loader:)` explains the files. Their objects are saved a few thousand at a time, in
    /// one transaction; an object and everything inside of it are in memory together. The journal of imports gets an
    /// entry, by which the same unchanged files are not planted again.
    ///
    /// - Parameters:
    ///   - urls: The files, as `file`, `http` or `https`.
    ///   - loader: Loads remote files; without it they are refused.
    ///   - again: Whether files that were planted before are planted once more.
    /// - Returns: `.finished` with the number of new objects, or `.alreadyFinished` with that of the earlier run.
    /// - Throws: `SeedError`, `SaveError` if an object is not valid, errors of the store; nothing was planted then.
    @discardableResult
    public func seed(from urls: URL..., loader: (any SeedLoader)? = nil, again: Bool = false) throws -> ImportOutcome {
        try seed(from: urls, loader: loader, again: again)
    }

    /// Plants seed files of any size: makes their objects and saves them, all or none.
    ///
    /// - Throws: The errors of `seed(from:loader:again:)`.
    @discardableResult
    public func seed(from urls: [URL], loader: (any SeedLoader)? = nil, again: Bool = false) throws -> ImportOutcome {
        let run = try SeedRun(importStore, urls, loader, repeats: again)
        guard stores.stores.count == 1 else {
            throw SeedError(
                .stores, "the manager has several stores, which cannot be written in one transaction",
                hint: "seed a context and save it")
        }
        let outcome = try newContext(name: "seed", mergesSaves: false).performAndWait { context in
            // Other contexts are notified when everything is committed.
            context.shouldMergeOnSave = false
            do {
                return try run.plant { _ in SeedObjects(context) }
            } catch {
                context.reset()
                throw error
            }
        }
        if case .finished = outcome, stores.hasListeners { stores.announceReload() }
        return outcome
    }
}
