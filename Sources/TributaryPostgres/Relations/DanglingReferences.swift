import TributaryImport
import TributaryStore
import TributaryModel
import TributarySQLite

/// References that wait at the end of a run.
struct DanglingReferences {
    /// The number of references that are resolved together.
    private static let slice = 20_000
    private let model: Model
    private let run: Int
    private let dangling: ImportOptions.Dangling

    /// What is left at the end.
    struct Rest {
        /// For each relationship the number of references of the run whose objects are not there.
        var counts: [String: Int] = [:]
        /// For each entity the objects that were made of their keys.
        var made: [String: RecordCounts] = [:]
    }

    init(_ model: Model, run: Int, _ dangling: ImportOptions.Dangling) {
        (self.model, self.run, self.dangling) = (model, run, dangling)
    }

    /// Links what waits for objects that are there now, and does with the rest what the option says, in a transaction;
    /// `entities` are those that the run has filled.
    func resolve(filling entities: [Entity], on server: PostgresConnection) throws -> Rest {
        var rest = Rest()
        guard try MirroredReferences.exists(on: server) else { return rest }
        let table: PostgresSQL = "\(name: MirroredReferences.name)"
        let names = try server.execute("SELECT DISTINCT \"relation\" FROM \(table) ORDER BY 1")
        for row in 0..<names.rowCount {
            guard let text = names.text(row, 0), let name = RelationName(text), let entity = model[name.entity],
                let relationship = entity.relationship(named: name.relationship),
                let destination = model[name.destination],
                entities.contains(entity) || entities.contains(destination)
            else { continue }
            let key = name.key.compactMap { destination.attribute(named: $0) }
            guard key.count == name.key.count else { continue }
            try resolve(text, relationship, destination, key, &rest, server)
            let values: [PostgresValue] = [.text(text), .integer(Int64(run))]
            let counted = try server.execute(
                "SELECT count(*) FROM \(table) WHERE \"relation\" = $1 AND \"run\" = $2::bigint", values)
            guard let count = counted.integer(0, 0), count > 0 else { continue }
            rest.counts["\(name.entity).\(name.relationship)", default: 0] += Int(count)
            guard dangling == .null else { continue }
            try server.execute("DELETE FROM \(table) WHERE \"relation\" = $1 AND \"run\" = $2::bigint", values)
        }
        return rest
    }

    private func resolve(
        _ name: String, _ relationship: RelationshipProperty, _ destination: Entity, _ key: [AttributeProperty],
        _ rest: inout Rest, _ server: PostgresConnection
    ) throws {
        let reach = PostgresRelatedTables.reach(of: [relationship.entity])
        var last: Int64 = 0
        while true {
            let mirror = try RelationMirror(model, reach, on: server)
            let found = try mirror.waiting.load(name, after: last, limit: Self.slice)
            guard let end = found.last,
                let relation = WaitingRelation(name, relationship, to: destination, key: key, in: mirror.schema)
            else { return }
            last = end.id
            try mirror.table(destination.name).load(key.map(\.name), Set(found.map(\.key)))
            let targets = mirror.table(destination.name).keys
            let owners = Set(found.map(\.owner))
            try mirror.table(relationship.entity.name).load(where: "_pk", in: owners)
            if let storage = PairStorage(relationship, in: mirror.schema) {
                try mirror.loadPairs(storage, relationship, of: owners, others: targets)
            } else {
                try mirror.loadPartners(relationship)
            }
            if dangling == .stub {
                let maker = StubMaker(of: destination, key: key, for: relation, in: mirror.schema)
                try maker.make(run: run, on: mirror.memory, reserve: mirror.reserve) { outcome in
                    rest.made[destination.name, default: RecordCounts()] += outcome.counts
                }
            }
            _ = try relation.resolve(on: mirror.memory)
            try mirror.write()
        }
    }
}
