package import TributaryImport

/// The target of an import: the model, the entity and its key, from the command line and the database.
package struct ImportTarget {
    /// The model; nil if columns are inferred from the data.
    package let model: Model?
    package let entity: String
    /// The key; nil if each record is a new row.
    package let key: ImportKey?
    /// Whether the entity is a table that another program made.
    package let isForeign: Bool
    /// The name that the table would have if it were not reserved; nil if it has that one.
    package private(set) var reservedName: String?
    /// The places of the records with their entities and keys, if they are imported from several ones.
    package internal(set) var places: [Place] = []
    /// The tables of the values of a member; nil unless they have their own.
    var routing: Routing?
    /// The tables of nested objects; nil if there are none.
    var relations: DiscoveredRelations?

    /// A place of records, and where they go.
    package struct Place {
        let path: RecordPath
        let entity: String
        let key: ImportKey?
        /// Whether the name of the entity has a number, because another place has it without one.
        let isNumbered: Bool
    }

    /// The options of the command line that select the entity and its key.
    package struct Request {
        package var entity: String?
        package var key: [String]?
        package var remoteKey: [RemoteKey]?
        package var mode = ImportMode.upsert
        /// Whether the records may tell the key.
        package var findsKey = false
        package var mappings = Mappings()
        /// The names of the sources that are files.
        package var files: [String] = []
        /// The name of the one folder or archive that has all files.
        package var container: String?
        /// Whether it is a folder, which may get more files.
        package var isFolder = false
        /// The name of the member that holds the records, as in `users` of `.users[]`.
        package var member: String?

        package init() {}

        /// The name that all files have without their extensions.
        var stem: String? {
            let stems = Set(files.map { EntityName.stem(of: $0) })
            return stems.count == 1 ? stems.first ?? nil : nil
        }
    }

    /// The entities that are known before the import.
    package enum Known {
        /// The entities of a model.
        case model(Model)
        /// Entities inferred from data, nil if the database has none yet; and the names of other tables in lower case.
        case inferred(ModelDescription?, others: Set<String> = [])

        /// Reads the model from a file that the command line names, or else from the database.
        init(model path: String?, database: String) throws {
            let stored = try StoredModel.read(at: database)
            if let path {
                self = .model(try Model(ModelFile.read(path)))
            } else if let stored, !stored.isInferred {
                self = .model(try Model(stored))
            } else {
                let others = try ForeignTable.names(in: database, besides: stored)
                self = .inferred(try stored.map { try Known.filled($0, in: database) }, others: others)
            }
        }

        /// A model of inferred columns without the tables into which no import has committed anything: the key of a failed
        /// import does not bind the next one.
        private static func filled(_ model: ModelDescription, in database: String) throws -> ModelDescription {
            var filled = model
            filled.entities =
                try StoreInspection.read(database) { connection in
                    let empty = try model.entities.map(\.name).filter { try TableRows.isEmpty($0, on: connection) }
                    guard !empty.isEmpty else { return model.entities }
                    let runs = try connection.runs().filter { $0.state == .finished || $0.checkpoint != nil }
                    let unused = Set(empty).subtracting(runs.flatMap { $0.routes.map(\.entity) })
                    return model.entities.filter { !unused.contains($0.name) }
                } ?? model.entities
            return filled
        }
    }

    /// Determines the entity and its key.
    package init(_ request: Request, _ known: Known) throws(UsageError) {
        do throws(UsageError) {
            switch known {
            case .model(let model):
                self.model = model
                isForeign = false
                let entity = try ImportTarget.entity(request, model)
                self.entity = entity.name
                key = try ImportTarget.key(request, entity)
            case .inferred(let model, let others):
                self.model = nil
                let stated = try ImportTarget.statedName(request)
                let name = EntityName.table(stated)
                entity = name
                if name != stated { reservedName = stated }
                isForeign = others.contains(name.lowercased())
                let table = model?.entities.first { $0.name == name }
                key = try ImportTarget.key(request, request.key ?? table?.uniquenessConstraints.first)
            }
            if !request.findsKey { try checkKey(for: request.mode, key) }
        } catch {
            throw UsageError(error.message, command: ImportCommand.spec.name)
        }
    }

    /// Throws if a mode needs a key, and there is none.
    func checkKey(for mode: ImportMode, _ key: ImportKey?) throws(UsageError) {
        guard key == nil, !isForeign, mode.needsKey else { return }
        throw UsageError("'--mode \(mode.rawValue)' needs a key: --key NAME", command: ImportCommand.spec.name)
    }

    // MARK: With a model

    private static func entity(_ request: Request, _ model: Model) throws(UsageError) -> Entity {
        let names = model.entities.filter { !$0.isAbstract }.map(\.name)
        if let name = request.entity {
            guard let entity = model[name] else {
                let near = Suggestion.nearest(to: name, among: names).map { ". Did you mean '\($0)'?" }
                throw UsageError("The model has no entity '\(name)'" + (near ?? "; it has \(names.shortList)"))
            }
            guard !entity.isAbstract else {
                throw UsageError("Entity '\(name)' is abstract and has no objects of its own; name a subentity")
            }
            return entity
        }
        if names.count == 1, let only = model[names[0]] { return only }
        for name in [request.member, request.stem, request.container].compactMap(\.self) {
            let fitting = names.filter { EntityName.fits($0, stem: name) }
            if fitting.count == 1, let found = model[fitting[0]] { return found }
        }
        throw UsageError("Name the entity of the records: --entity NAME, one of \(names.shortList)")
    }

    private static func key(_ request: Request, _ entity: Entity) throws(UsageError) -> ImportKey? {
        let attributes = entity.attributes.filter { !$0.isTransient }.map(\.name)
        for name in request.key ?? [] where !attributes.contains(name) {
            let hint = Suggestion.hint(for: name, among: attributes)
            throw UsageError("Entity '\(entity.name)' has no attribute '\(name)' that could be a key\(hint)")
        }
        if let names = request.key { return try key(request, names) }
        do {
            let mapping = try MappingResolver(request.mappings).mapping(of: entity)
            if let names = mapping.key { return try key(request, names) }
            return try key(request, ImportKey.constraint(of: entity)?.parts.map(\.attribute))
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\((error as? ImportError)?.reason ?? "\(error)"); name one: --key NAME")
        }
    }

    // MARK: Without a model

    /// The key of these attributes, with the paths that the command line names.
    private static func key(_ request: Request, _ names: [String]?) throws(UsageError) -> ImportKey? {
        guard let names else {
            if request.remoteKey != nil { throw UsageError("'--remote-key' needs '--key'") }
            return nil
        }
        if let remote = request.remoteKey, remote.count != names.count {
            throw UsageError(
                "The key is \(names.joined(separator: ",")), but '--remote-key' names \(remote.count) paths")
        }
        return ImportKey(names, remote: request.remoteKey)
    }

    /// The name of the table that a request is for; without a model, and whether or not a table can have it.
    static func statedName(_ request: Request) throws(UsageError) -> String {
        try name(request, EntityName.fault)
    }

    /// The name of the entity of a model, or of a table of PostgreSQL, that a request is for.
    static func entityName(_ request: Request) throws(UsageError) -> String {
        try name(request, EntityName.modelFault)
    }

    private static func name(_ request: Request, _ fault: (String) -> String?) throws(UsageError) -> String {
        if let name = request.entity {
            if let fault = fault(name) { throw UsageError("Option '--entity': '\(name)' \(fault)") }
            return name
        }
        let names = [request.member, request.isFolder ? nil : request.stem, request.container].compactMap(\.self)
        guard let name = names.first(where: { fault($0) == nil }) else {
            throw UsageError(
                request.files.isEmpty
                    ? "Name the files, or the table of standard input: --table NAME"
                    : "Name the table of the records: --table NAME")
        }
        return name
    }
}
