import Foundation

/// All that is needed to open the stores of an alias.
struct StoreOpening: Sendable {
    /// What lies where, as far as two openings can be compared.
    struct File: Sendable, Hashable {
        let configuration: String?
        /// Nil for memory.
        let path: String?
    }

    let model: Model
    let classes: ModelClasses
    let placements: [StorePlacement]
    let options: StoreOptions

    /// Where the stores lie, with links followed.
    var files: [File] {
        placements.map { File(configuration: $0.configuration, path: $0.location.plainPath) }
    }

    /// The alias of stores that were given none: their files, or for memory a name that nobody else has.
    var alias: String {
        let names = files.map { $0.path ?? "memory \(UUID())" }.joined(separator: " + ")
        return options.isReadOnly ? "\(names), read only" : names
    }

    /// Whether a file of both would be written by two connections.
    func isInTheWay(of other: StoreOpening) -> Bool {
        guard !options.isReadOnly, !other.options.isReadOnly else { return false }
        let paths = Set(files.compactMap(\.path))
        return other.files.contains { $0.path.map(paths.contains) ?? false }
    }

    /// Refuses a manager that wants something else under an alias that is open.
    func check(_ other: StoreOpening, _ alias: String) throws {
        guard model === other.model || model.versionHashes() == other.model.versionHashes() else {
            throw StoreError(
                .incompatibleModel, alias, "it is open with another model",
                hint: "use that model, or another alias and file")
        }
        let difference: String? =
            if files != other.files {
                "it is open with other files or configurations"
            } else if options.isReadOnly != other.options.isReadOnly {
                options.isReadOnly ? "it is open for reading only" : "it is open for writing"
            } else if other.options.erasesStores {
                "it is open, and what others use is not erased"
            } else if !classes.isSame(as: other.classes) {
                "it is open with other classes"
            } else {
                nil
            }
        guard let difference else { return }
        throw StoreError(
            .inUse, alias, difference, hint: "open it in the same way, use another alias, or close it first")
    }

    /// Opens the stores, after their files were deleted if that is wanted.
    ///
    /// - Returns: them, and whether there were files to be deleted.
    /// - Throws: `StoreError`, `ModelError`, `SQLiteError`, and what the file system says.
    func open(erasing: Bool) throws -> (set: StoreSet, didErase: Bool) {
        for case let name? in placements.map(\.configuration) where model.entities(in: name) == nil {
            let known = model.configurations.joined(separator: ", ")
            throw ModelError(["there is no configuration \(name); the model has \(known.isEmpty ? "none" : known)"])
        }
        var didErase = false
        if erasing {
            guard !options.isReadOnly else {
                throw StoreError(
                    .readOnly, alias, "it cannot be erased and read only", hint: "drop one of the two options")
            }
            for placement in placements where try StoreFiles(placement.location).delete() { didErase = true }
        }
        var stores: [SQLiteStore] = []
        for placement in placements {
            do {
                stores.append(try store(placement))
            } catch let error as StoreError where options.deletesUnreadableStores && !options.isReadOnly {
                guard error.code == .damaged || error.code == .incompatibleModel else { throw error }
                try StoreFiles(placement.location).delete()
                didErase = true
                stores.append(try store(placement))
            }
        }
        return (try StoreSet(model, classes, stores: stores), didErase)
    }

    private func store(_ placement: StorePlacement) throws -> SQLiteStore {
        var opening = SQLiteStore.Options()
        opening.isReadOnly = options.isReadOnly
        opening.usesWriteAheadLog = options.usesWriteAheadLog
        opening.isDurable = options.isDurable
        opening.cacheKiB = options.cacheKiB
        opening.trace = options.trace
        return try SQLiteStore(model, configuration: placement.configuration, at: placement.location, options: opening)
    }
}

extension StoreLocation {
    /// The path with links followed, so that two ways to one file are the same; nil for memory.
    var plainPath: String? {
        guard case .sqlite(let path) = self else { return nil }
        return URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
