import TributaryConcurrency

/// The stores that are open in this process under an alias, shared by all its managers.
final class SharedStores: Sendable {
    private let alias: String
    /// The arguments that open the stores, also when they are rebuilt.
    private let opening: StoreOpening
    private let current: Guarded<StoreSet>

    /// The state of an alias, whose stores stay open without a manager while contexts or objects use them.
    private final class Entry: @unchecked Sendable {
        // The properties are set once, and weak references may be read on any thread.
        weak var shared: SharedStores?
        weak var set: StoreSet?
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

    /// Removes the entries of closed stores, after waiting until sets that were just released are closed.
    private static func removeClosed(_ open: inout [String: Entry]) {
        for entry in open.values where entry.set == nil { entry.end.wait { $0 ? () : nil } }
        open = open.filter { $0.value.set.map { !$0.isClosed } ?? false }
    }

    private static let open = Guarded<[String: Entry]>([:])

    private init(_ alias: String, _ opening: StoreOpening, _ set: StoreSet) {
        self.alias = alias
        self.opening = opening
        current = Guarded(set)
    }

    /// The open stores.
    var set: StoreSet { current.withLock { $0 } }

    /// Returns the open stores of an alias, or opens them.
    ///
    /// - Returns: The stores, and whether files were deleted to open them.
    static func open(_ alias: String, _ opening: StoreOpening) throws -> (shared: SharedStores, didErase: Bool) {
        try open.withLock { open in
            if let entry = open[alias], let set = entry.set, !set.isClosed {
                if opening.options.erasesStores, entry.shared == nil {
                    set.close()
                } else {
                    try entry.opening.check(opening, alias)
                    let shared = entry.shared ?? SharedStores(alias, entry.opening, set)
                    open[alias] = Entry(shared)
                    return (shared, false)
                }
            }
            removeClosed(&open)
            for (other, entry) in open where entry.opening.conflicts(with: opening) {
                throw StoreError(
                    .inUse, alias, "its file is open under the alias \(other)", hint: "use that alias, or another file")
            }
            let (set, didErase) = try opening.open(erasing: opening.options.erasesStores)
            let shared = SharedStores(alias, opening, set)
            open[alias] = Entry(shared)
            return (shared, didErase)
        }
    }

    /// Deletes the files and opens new stores, for all managers of the alias.
    func rebuild() throws {
        guard !opening.options.isReadOnly else {
            throw StoreError(.readOnly, alias, "it was opened for reading only", hint: "open it for writing")
        }
        try SharedStores.open.withLock { open in
            set.close()
            let fresh = try opening.open(erasing: true).set
            let settings = set.crudSettings.withLock { $0 }
            fresh.crudSettings.withLock { $0 = settings }
            current.withLock { $0 = fresh }
            open[alias] = Entry(self)
        }
    }

    /// Closes the stores, for all managers of the alias.
    func close() {
        SharedStores.open.withLock { _ in set.close() }
    }

    /// Deletes the files of a store that no manager uses; true if the database existed.
    static func erase(_ location: StoreLocation) throws -> Bool {
        try open.withLock { open in
            removeClosed(&open)
            for (alias, entry) in open {
                guard let path = location.resolvedPath, entry.opening.files.contains(where: { $0.path == path }),
                    let set = entry.set, !set.isClosed
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
