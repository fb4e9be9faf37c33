import TributaryConcurrency

/// The stores that are open in this process under an alias, shared by all its managers.
final class SharedStores: Sendable {
    private let alias: String
    /// The arguments that open the stores, also when they are rebuilt.
    private let opening: StoreOpening
    private let current: Guarded<ObjectStores>

    /// The state of an alias, whose stores stay open without a manager while contexts or objects use them.
    private final class Entry: @unchecked Sendable {
        // The properties are set once, and weak references may be read on any thread.
        weak var shared: SharedStores?
        weak var set: ObjectStores?
        let opening: StoreOpening
        /// Becomes true when the stores were closed after the release of their set.
        let end: Monitor<Bool>

        init(_ shared: SharedStores) {
            self.shared = shared
            let stores = shared.set
            set = stores
            opening = shared.opening
            end = stores.end
        }
    }

    /// The stores by alias, and the aliases and files that are being opened, closed or deleted.
    private struct Registry {
        var entries: [String: Entry] = [:]
        var busy: Set<String> = []
    }

    private static let registry = Monitor(Registry())

    /// Calls `body` with the open stores while no other thread opens, closes or deletes these files or this alias, and
    /// after earlier stores of them are closed.
    ///
    /// A thread gets all names at once, so that two threads never wait for each other; threads with other names do not
    /// wait.
    private static func exclusively<Result>(
        _ files: [StoreOpening.File], alias: String? = nil, _ body: ([String: Entry]) throws -> Result
    ) rethrows -> Result {
        let paths = Set(files.compactMap(\.path))
        let names = Set(paths.map { "file \($0)" }).union(alias.map { ["alias \($0)"] } ?? [])
        let entries = registry.wait { registry -> [String: Entry]? in
            guard registry.busy.isDisjoint(with: names) else { return nil }
            registry.busy.formUnion(names)
            return registry.entries
        }
        // Outside of the lock, because the last reference to a set closes its stores.
        let closed = entries.filter { $1.set.map(\.isClosed) ?? $1.end.read { $0 } }
        defer {
            registry.update { registry in
                registry.busy.subtract(names)
                for (alias, entry) in closed where registry.entries[alias] === entry { registry.entries[alias] = nil }
            }
        }
        // Sets in use stay open until `body` has ended; those of which the last reference is gone are waited for.
        var (open, sets): ([String: Entry], [ObjectStores]) = ([:], [])
        for (other, entry) in entries {
            guard other == alias || entry.opening.files.contains(where: { $0.path.map(paths.contains) ?? false }) else {
                open[other] = entry
                continue
            }
            if let set = entry.set {
                sets.append(set)
                if !set.isClosed { open[other] = entry }
            } else {
                entry.end.wait { $0 ? () : nil }
            }
        }
        return try withExtendedLifetime(sets) { try body(open) }
    }

    private init(_ alias: String, _ opening: StoreOpening, _ set: ObjectStores) {
        self.alias = alias
        self.opening = opening
        current = Guarded(set)
    }

    var set: ObjectStores { current.withLock { $0 } }

    /// Returns the open stores of an alias, or opens them; and whether files were deleted for it.
    static func open(_ alias: String, _ opening: StoreOpening) throws -> (shared: SharedStores, didErase: Bool) {
        try exclusively(opening.files, alias: alias) { open in
            if let entry = open[alias], let set = entry.set {
                if opening.options.erasesStores, entry.shared == nil {
                    set.close()
                } else {
                    try entry.opening.check(opening, alias)
                    let shared = entry.shared ?? SharedStores(alias, entry.opening, set)
                    shared.register()
                    return (shared, false)
                }
            }
            for (other, entry) in open where other != alias && entry.opening.conflicts(with: opening) {
                throw StoreError(
                    .inUse, alias, "its file is open under the alias \(other)", hint: "use that alias, or another file")
            }
            let (set, didErase) = try opening.open(erasing: opening.options.erasesStores)
            let shared = SharedStores(alias, opening, set)
            shared.register()
            return (shared, didErase)
        }
    }

    private func register() { SharedStores.registry.update { $0.entries[alias] = Entry(self) } }

    /// Deletes the files and opens new stores, for all managers of the alias.
    func rebuild() throws {
        guard !opening.options.isReadOnly else {
            throw StoreError(.readOnly, alias, "it was opened for reading only", hint: "open it for writing")
        }
        try SharedStores.exclusively(opening.files, alias: alias) { _ in
            set.close()
            let fresh = try opening.open(erasing: true).set
            let settings = set.crudSettings.withLock { $0 }
            fresh.crudSettings.withLock { $0 = settings }
            current.withLock { $0 = fresh }
            register()
        }
    }

    func close() {
        SharedStores.exclusively(opening.files, alias: alias) { _ in set.close() }
    }

    /// Deletes the files of a store that no manager uses; true if the database existed.
    static func erase(_ location: StoreLocation) throws -> Bool {
        let file = StoreOpening.File(configuration: nil, path: location.resolvedPath)
        return try exclusively([file]) { open in
            for (alias, entry) in open {
                guard let path = file.path, entry.opening.files.contains(where: { $0.path == path }),
                    let set = entry.set
                else { continue }
                guard entry.shared == nil else {
                    throw StoreError(
                        .inUse, path, "it is open under the alias \(alias)", hint: "close its manager first")
                }
                set.close()
            }
            return try location.deleteFiles()
        }
    }
}
