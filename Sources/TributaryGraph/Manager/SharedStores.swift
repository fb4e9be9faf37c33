import Foundation
import TributaryConcurrency

/// The stores that are open in this process under an alias.
final class SharedStores: Sendable {
    let set: StoreSet

    private final class Weak: @unchecked Sendable {
        // Set once, and safe to read anywhere: it becomes nil by itself.
        weak var shared: SharedStores?

        init(_ shared: SharedStores) { self.shared = shared }
    }

    private static let open = Guarded<[String: Weak]>([:])

    private init(_ set: StoreSet) { self.set = set }

    /// The alias of stores that were given none: their files. Memory is nobody else's.
    static func alias(for placements: [StorePlacement]) -> String {
        placements.map { placement in
            switch placement.location {
            case .sqlite(let path): URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
            case .memory: "memory \(UUID())"
            }
        }
        .joined(separator: " + ")
    }

    /// The stores of an alias: those that are open already, or newly opened ones.
    static func open(
        _ alias: String, _ model: Model, _ classes: ModelClasses, _ placements: [StorePlacement],
        _ options: StoreOptions, deletesUnreadable: Bool
    ) throws -> SharedStores {
        try open.withLock { open in
            if let shared = open[alias]?.shared {
                guard shared.set.model === model || shared.set.model.versionHashes() == model.versionHashes() else {
                    throw StoreError(
                        .incompatibleModel, alias, "it is open with another model",
                        hint: "use that model, or another alias and file")
                }
                return shared
            }
            let shared = SharedStores(try stores(model, classes, placements, options, deletesUnreadable))
            open[alias] = Weak(shared)
            open = open.filter { $0.value.shared != nil }
            return shared
        }
    }

    /// Deletes the files of an alias and opens them anew.
    static func rebuild(
        _ alias: String, _ model: Model, _ classes: ModelClasses, _ placements: [StorePlacement], _ options: StoreOptions
    ) throws -> SharedStores {
        try open.withLock { open in
            if let shared = open[alias]?.shared { for store in shared.set.stores { store.close() } }
            for placement in placements { try StoreFiles(placement.location).delete() }
            let shared = SharedStores(try stores(model, classes, placements, options, false))
            open[alias] = Weak(shared)
            return shared
        }
    }

    private static func stores(
        _ model: Model, _ classes: ModelClasses, _ placements: [StorePlacement], _ options: StoreOptions,
        _ deletesUnreadable: Bool
    ) throws -> StoreSet {
        var opening = SQLiteStore.Options()
        opening.isReadOnly = options.isReadOnly
        opening.usesWriteAheadLog = options.usesWriteAheadLog
        opening.isDurable = options.isDurable
        opening.cacheKiB = options.cacheKiB
        opening.trace = options.trace
        let stores = try placements.map { placement in
            if let name = placement.configuration, model.entities(in: name) == nil {
                throw ModelError(["there is no configuration \(name); the model has \(model.configurations.joined(separator: ", "))"])
            }
            func open() throws -> SQLiteStore {
                try SQLiteStore(model, configuration: placement.configuration, at: placement.location, options: opening)
            }
            do {
                return try open()
            } catch let error as StoreError where deletesUnreadable && !options.isReadOnly {
                guard error.code == .damaged || error.code == .incompatibleModel else { throw error }
                try StoreFiles(placement.location).delete()
                return try open()
            }
        }
        return try StoreSet(model, classes, stores: stores)
    }
}
