import Foundation

/// The arguments that open the stores of an alias.
struct StoreOpening: Sendable {
    /// The file of a configuration, for comparisons of openings.
    struct File: Sendable, Hashable {
        let configuration: String?
        /// Nil for memory.
        let path: String?
    }

    let model: Model
    let classes: ModelClasses
    let placements: [StorePlacement]
    let options: StoreOptions

    /// The files of the stores, with symbolic links resolved.
    var files: [File] {
        placements.map { File(configuration: $0.configuration, path: $0.location.resolvedPath) }
    }

    /// The default alias: the paths of the files, with a unique name for each store in memory.
    var alias: String {
        let names = files.map { $0.path ?? "memory \(UUID())" }.joined(separator: " + ")
        return options.isReadOnly ? "\(names), read only" : names
    }

    /// Whether both openings would write to the same file.
    func conflicts(with other: StoreOpening) -> Bool {
        guard !options.isReadOnly, !other.options.isReadOnly else { return false }
        let paths = Set(files.compactMap(\.path))
        return other.files.contains { $0.path.map(paths.contains) ?? false }
    }

    /// Throws if `other` cannot share the open stores of this opening under an alias.
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
                "it is open, so it cannot be erased"
            } else if !classes.isSame(as: other.classes) {
                "it is open with other classes"
            } else {
                nil
            }
        guard let difference else { return }
        throw StoreError(
            .inUse, alias, difference, hint: "open it with the same arguments, use another alias, or close it first")
    }

    /// Opens the stores, after deleting their files if `erasing` is true.
    func open(erasing: Bool) throws -> (set: ObjectStores, didErase: Bool) {
        for case let name? in placements.map(\.configuration) where model.entities(in: name) == nil {
            let known = model.configurations.joined(separator: ", ")
            throw ModelError(["there is no configuration \(name); the model has \(known.isEmpty ? "none" : known)"])
        }
        var didErase = false
        if erasing {
            guard !options.isReadOnly else {
                throw StoreError(
                    .readOnly, alias, "erasesStores and isReadOnly exclude each other", hint: "set only one of them")
            }
            for placement in placements where try placement.location.deleteFiles() { didErase = true }
        }
        var stores: [SQLiteStore] = []
        for placement in placements {
            do {
                stores.append(try store(placement))
            } catch let error as StoreError where options.deletesUnreadableStores && !options.isReadOnly {
                guard error.code == .damaged || error.code == .incompatibleModel else { throw error }
                try placement.location.deleteFiles()
                didErase = true
                stores.append(try store(placement))
            }
        }
        return (try ObjectStores(model, classes, stores: stores), didErase)
    }

    private func store(_ placement: StorePlacement) throws -> SQLiteStore {
        try SQLiteStore(model, configuration: placement.configuration, at: placement.location, options: options)
    }
}
