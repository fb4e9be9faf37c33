import TributaryImport
import TributaryStore
import TributaryModel
import TributarySQLite

/// References that wait at the end of a run.
struct DanglingReferences {
    /// The number of references that are resolved together.
    private static let slice = 20_000
    private let model: Model
    private let plan: RowsPlan
    private let run: Int
    private let dangling: ImportOptions.Dangling

    init(_ model: Model, _ plan: RowsPlan, run: Int, _ dangling: ImportOptions.Dangling) {
        (self.model, self.plan, self.run, self.dangling) = (model, plan, run, dangling)
    }

    /// Links what waits for objects that are there now, and does with the rest what the rules or the options say; returns
    /// the references that are left, and the objects that were made of keys.
    func resolve(on server: PostgresConnection) throws -> ImportSummary {
        var rest = ImportSummary()
        guard try MirroredReferences.exists(on: server) else { return rest }
        let table: PostgresSQL = "\(name: MirroredReferences.name)"
        let entities = plan.related?.entities ?? plan.routes.map(\.entity)
        let names = try server.execute("SELECT DISTINCT \"relation\" FROM \(table) ORDER BY 1")
        for row in 0..<names.rowCount {
            guard let text = names.text(row, 0), let name = RelationName(text), let entity = model[name.entity],
                let relationship = entity.relationship(named: name.relationship),
                let destination = model[name.destination],
                entities.contains(entity) || entities.contains(destination)
            else { continue }
            let key = name.key.compactMap { destination.attribute(named: $0) }
            guard key.count == name.key.count else { continue }
            let policy = plan.related?.dangling(text) ?? dangling
            try resolve(text, relationship, destination, key, makesStubs: policy == .stub, &rest, server)
            let values: [PostgresValue] = [.text(text), .integer(Int64(run))]
            let counted = try server.execute(
                "SELECT count(*) FROM \(table) WHERE \"relation\" = $1 AND \"run\" = $2::bigint", values)
            guard let count = counted.integer(0, 0), count > 0 else { continue }
            rest.addDangling(name, Int(count), policy)
            guard policy == .null else { continue }
            try server.execute("DELETE FROM \(table) WHERE \"relation\" = $1 AND \"run\" = $2::bigint", values)
        }
        return rest
    }

    private func resolve(
        _ name: String, _ relationship: RelationshipProperty, _ destination: Entity, _ key: [AttributeProperty],
        makesStubs: Bool, _ rest: inout ImportSummary, _ server: PostgresConnection
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
            if makesStubs {
                let maker = StubMaker(of: destination, key: key, for: relation, in: mirror.schema)
                try maker.make(run: run, on: mirror.memory, reserve: mirror.reserve) { outcome in
                    rest.add(outcome.counts, of: destination.name)
                }
            }
            _ = try relation.resolve(on: mirror.memory)
            try mirror.write()
        }
    }
}
