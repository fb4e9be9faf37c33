package import TributaryImport

/// Importing all places of records at once.
extension ImportTarget {
    /// Determines an entity and its key for each of some places.
    ///
    /// An entity is named after the member that holds its records, or after more of the path where that is not unique;
    /// names that are one name to SQLite get numbers. With a model, places whose name fits none of its entities are left out.
    package init(all paths: [RecordPath], _ request: Request, _ known: Known) throws(UsageError) {
        var targets: [ImportTarget] = []
        var places: [Place] = []
        let counts = Dictionary(grouping: paths, by: \.memberName).mapValues(\.count)
        var requests = paths.map { path in
            var one = request
            one.member = counts[path.memberName] == 1 ? path.memberName : path.memberPath
            return one
        }
        var numbered: Set<Int> = []
        if case .inferred = known { numbered = try ImportTarget.number(&requests, paths) }
        for (index, path) in paths.enumerated() {
            var one = requests[index]
            if case .model(let model) = known {
                let names = model.entities.filter { !$0.isAbstract }.map(\.name)
                let fitting = names.filter { EntityName.fits($0, stem: path.memberName ?? request.stem ?? "") }
                guard fitting.count == 1 else { continue }
                one.entity = fitting[0]
            }
            let target = try ImportTarget(one, known)
            guard !target.isForeign else {
                throw UsageError(
                    "'--all' makes a table for each place, and another program has made the table "
                        + "'\(target.entity)'; import it alone: --at \(ShellWord.quoted(path.description))",
                    command: ImportCommand.spec.name)
            }
            if let other = places.first(where: { $0.entity.lowercased() == target.entity.lowercased() }) {
                throw UsageError(
                    "The records at '\(other.path)' and '\(path)' would both go into '\(target.entity)'; "
                        + "import them one after the other with --at and --entity", command: ImportCommand.spec.name)
            }
            targets.append(target)
            places.append(
                Place(path: path, entity: target.entity, key: target.key, isNumbered: numbered.contains(index)))
        }
        guard let first = targets.first else {
            throw UsageError(
                "No entity of the model has the name of a place: \(paths.map(\.description).shortList)",
                command: ImportCommand.spec.name)
        }
        self = first
        self.places = places
    }

    /// Gives each request its own entity, with numbers in the order of the paths; returns the indexes of those.
    private static func number(_ requests: inout [Request], _ paths: [RecordPath]) throws(UsageError) -> Set<Int> {
        var names: [String] = []
        for request in requests { names.append(try statedName(request)) }
        let texts = paths.map { Array($0.description.utf8) }
        let order = paths.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
        let numbered = numbered(names.map(EntityName.table), inOrder: order)
        for index in paths.indices { requests[index].entity = numbered[index] }
        return Set(names.indices.filter { numbered[$0] != names[$0] })
    }

    /// Names of tables with numbers where they are one name to SQLite, given in an order.
    private static func numbered(_ names: [String], inOrder order: [Int]) -> [String] {
        let known = Set(names.map { $0.lowercased() })
        var used: Set<String> = []
        var numbered = names
        for index in order {
            var (name, number) = (names[index], 1)
            while number > 1 && known.contains(name.lowercased()) || !used.insert(name.lowercased()).inserted {
                number += 1
                name = "\(names[index])_\(number)"
            }
            numbered[index] = name
        }
        return numbered
    }
}

extension RecordPath {
    /// All members of the path, joined by underscores.
    fileprivate var memberPath: String? {
        members.isEmpty ? nil : members.joined(separator: "_").replacing(".", with: "_")
    }
}
