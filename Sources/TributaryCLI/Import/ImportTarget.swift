package import Tributary
import TributaryGraph
package import TributaryModel
package import TributaryJSON

/// What an import writes: the model, the entity and its key, from what the command line says and what the database knows.
package struct ImportTarget {
    /// The model; nil if columns are found from the data.
    package let model: Model?
    package let entity: String
    /// What tells one record from another; nil if each is a new row.
    package let key: ImportKey?

    /// What the command line says of the records.
    package struct Wish {
        package var entity: String?
        package var key: [String]?
        package var remoteKey: [RemoteKey]?
        package var mode = ImportMode.upsert
        /// The names of the sources that are files.
        package var files: [String] = []
        /// The command, for its help.
        package var command = ImportCommand.spec.name

        package init() {}
    }

    /// What is known of the entities.
    package enum Known {
        /// A model says what they are.
        case model(Model)
        /// They are found from data; these have been.
        case inferred(ModelDescription?)

        /// What a file says that the command line names, or else the database.
        ///
        /// - Throws: `ModelError`, or `StoreError` if the database is none of ours.
        init(model path: String?, database: String) throws {
            let stored = try StoreInspection.read(database) { try StoredModel.read(on: $0) } ?? nil
            if let path {
                self = .model(try Model(ModelFile.read(path)))
            } else if let stored, !stored.isInferred {
                self = .model(try Model(stored))
            } else {
                self = .inferred(stored)
            }
        }
    }

    /// Finds the entity and its key.
    package init(_ wish: Wish, _ known: Known) throws(UsageError) {
        do throws(UsageError) {
            switch known {
            case .model(let model):
                self.model = model
                let entity = try ImportTarget.entity(wish, model)
                self.entity = entity.name
                key = try ImportTarget.key(wish, entity)
            case .inferred(let model):
                self.model = nil
                let name = try ImportTarget.entityName(wish)
                entity = name
                key = try ImportTarget.key(wish, model?.entities.first { $0.name == name })
            }
            if key == nil, [.update, .ignore, .replace].contains(wish.mode) {
                throw UsageError("'--mode \(wish.mode.rawValue)' needs to know one record from another: --key NAME")
            }
        } catch {
            throw UsageError(error.message, command: wish.command)
        }
    }

    /// Where a value stands in a record: `a.b`, as `--at` has it also `.a.b`; `.` is the record itself.
    package static func place(_ text: String) -> RemoteKey {
        text == "." ? .`self` : RemoteKey(text.hasPrefix(".") ? String(text.dropFirst()) : text)
    }

    /// The import of `sources` into the database at `path`, which is made if it does not exist.
    ///
    /// - Throws: what opening the database throws.
    package func makeImport(
        from sources: [any ByteSource], at place: RecordPath?, into path: String, _ options: ImportOptions
    ) throws -> StreamImport {
        let manager =
            try model.map { try ContextManager(model: $0, store: .sqlite(path)) }
            ?? ContextManager(inferring: entity, key: key, at: path)
        let route: ImportRoute =
            if model == nil {
                .inferred(entity, at: place, key: key)
            } else if let key {
                .rows(entity, at: place, key: key)
            } else {
                .newRows(entity, at: place)
            }
        return StreamImport(into: manager, from: sources, routes: [route], options: options)
    }

    // MARK: With a model

    private static func entity(_ wish: Wish, _ model: Model) throws(UsageError) -> Entity {
        let names = model.entities.filter { !$0.isAbstract }.map(\.name)
        if let name = wish.entity {
            guard let entity = model[name] else {
                let near = Suggestion.nearest(to: name, among: names).map { ". Did you mean '\($0)'?" }
                throw UsageError(
                    "The model has no entity '\(name)'" + (near ?? "; it has \(names.joined(separator: ", "))"))
            }
            guard !entity.isAbstract else {
                throw UsageError("Entity '\(name)' is abstract and has no objects of its own; name one below it")
            }
            return entity
        }
        if names.count == 1, let only = model[names[0]] { return only }
        let stems = Set(wish.files.compactMap { EntityName.stem(of: $0) })
        if stems.count == 1, let stem = stems.first {
            let fitting = names.filter { EntityName.fits($0, stem: stem) }
            if fitting.count == 1, let found = model[fitting[0]] { return found }
        }
        throw UsageError("Say what the records are: --entity NAME, one of \(names.joined(separator: ", "))")
    }

    private static func key(_ wish: Wish, _ entity: Entity) throws(UsageError) -> ImportKey? {
        var names = wish.key
        if names == nil { names = try defaultKey(entity) }
        guard let names else {
            if wish.remoteKey != nil { throw UsageError("'--remote-key' needs '--key'") }
            return nil
        }
        let attributes = entity.attributes.filter { !$0.isTransient }
        for name in names where !attributes.contains(where: { $0.name == name }) {
            let near =
                Suggestion.nearest(to: name, among: attributes.map(\.name)).map { ". Did you mean '\($0)'?" } ?? ""
            throw UsageError("Entity '\(entity.name)' has no attribute '\(name)' that could be a key\(near)")
        }
        if let remote = wish.remoteKey {
            guard remote.count == names.count else {
                throw UsageError(
                    "The key is \(names.joined(separator: ",")), but '--remote-key' names \(remote.count) places")
            }
            return ImportKey(names, remote: remote)
        }
        return ImportKey(
            names, remote: names.map { RemoteKey(entity.attribute(named: $0)?.declaration.userInfo["json"] ?? $0) })
    }

    /// The uniqueness constraint, if there is one and it is of attributes.
    private static func defaultKey(_ entity: Entity) throws(UsageError) -> [String]? {
        let constraints = entity.uniquenessConstraints.map { $0.properties.map(\.name) }
        guard constraints.count <= 1 else {
            let list = constraints.map { $0.joined(separator: ",") }.joined(separator: " or ")
            throw UsageError("Entity '\(entity.name)' has several keys; choose one: --key \(list)")
        }
        guard let names = constraints.first else { return nil }
        guard names.allSatisfy({ entity.attribute(named: $0) != nil }) else {
            throw UsageError(
                "The key of entity '\(entity.name)' is made of relationships; name attributes: --key NAME")
        }
        return names
    }

    // MARK: Without a model

    /// The key that the command line names, or that the table has had so far.
    private static func key(_ wish: Wish, _ known: EntityDescription?) throws(UsageError) -> ImportKey? {
        guard let names = wish.key ?? known?.uniquenessConstraints.first else {
            if wish.remoteKey != nil { throw UsageError("'--remote-key' needs '--key'") }
            return nil
        }
        if let remote = wish.remoteKey, remote.count != names.count {
            throw UsageError(
                "The key is \(names.joined(separator: ",")), but '--remote-key' names \(remote.count) places")
        }
        return ImportKey(names, remote: wish.remoteKey)
    }

    private static func entityName(_ wish: Wish) throws(UsageError) -> String {
        if let name = wish.entity {
            if let fault = EntityName.fault(in: name) { throw UsageError("Option '--entity': '\(name)' \(fault)") }
            return name
        }
        let stems = Set(wish.files.compactMap { EntityName.stem(of: $0) })
        guard stems.count == 1, let stem = stems.first, EntityName.fault(in: stem) == nil else {
            throw UsageError("Say what the records are: --entity NAME, the name of their table")
        }
        return stem
    }
}
