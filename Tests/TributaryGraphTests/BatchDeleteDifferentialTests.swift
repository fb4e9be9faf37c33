import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Batch deletions over random models and graphs, compared with a naive walk over the objects.
@Suite struct BatchDeleteDifferentialTests {
    /// Two relationships that are each other's inverse: `aN` of one entity and `bN` of another, or of the same.
    private struct Pair {
        let ends: [String]
        let isToMany: [Bool]
        let rules: [DeleteRule]
        let isRequired: [Bool]
        /// The keys at both ends of each link; the row at one end may have been deleted.
        var links: Set<[Int64]> = []
    }

    private struct Graph {
        var pairs: [Pair]
        /// The name of each object's entity, by table and key.
        var objects: [String: [Int64: String]] = [:]

        static func root(_ entity: String) -> String { entity == "E3" ? "E0" : entity }

        func isKind(_ key: Int64, _ entity: String) -> Bool {
            guard let name = objects[Self.root(entity)]?[key] else { return false }
            return name == entity || entity == "E0"
        }

        enum Refusal: Error { case denied, required }

        /// Deletes one object, and returns all objects that are deleted, the object itself included.
        mutating func delete(_ table: String, _ key: Int64) throws -> Set<String> {
            var doomed: Set<String> = ["\(table) \(key)"]
            var wave = [(table, key)]
            func reached(_ table: String, _ key: Int64, _ rule: DeleteRule) -> [(String, Int64)] {
                pairs.flatMap { pair in
                    (0...1).filter { pair.rules[$0] == rule && Self.root(pair.ends[$0]) == table }.flatMap { side in
                        pair.links.filter { $0[side] == key && isKind($0[1 - side], pair.ends[1 - side]) }
                            .map { (Self.root(pair.ends[1 - side]), $0[1 - side]) }
                    }
                }
            }
            while let (table, key) = wave.popLast() {
                for (other, end) in reached(table, key, .cascade) where doomed.insert("\(other) \(end)").inserted {
                    wave.append((other, end))
                }
            }
            func isMarked(_ entity: String, _ key: Int64) -> Bool { doomed.contains("\(Self.root(entity)) \(key)") }
            for (table, rows) in objects {
                for key in rows.keys where isMarked(table, key) {
                    if !reached(table, key, .deny).allSatisfy({ isMarked($0.0, $0.1) }) { throw Refusal.denied }
                }
            }
            var rest = pairs
            for index in pairs.indices {
                let pair = pairs[index]
                for link in pair.links {
                    for side in 0...1 where isMarked(pair.ends[side], link[side]) {
                        let isKept = pair.rules[side] == .noAction && !(pair.isToMany[0] && pair.isToMany[1])
                        if isMarked(pair.ends[1 - side], link[1 - side]) || pair.isToMany[1 - side] || !isKept {
                            let isLeft =
                                isKind(link[1 - side], pair.ends[1 - side])
                                && !isMarked(pair.ends[1 - side], link[1 - side])
                            if isLeft, !pair.isToMany[1 - side], pair.isRequired[1 - side] { throw Refusal.required }
                            rest[index].links.remove(link)
                        }
                    }
                }
            }
            pairs = rest
            for table in objects.keys {
                objects[table] = objects[table]?.filter { !isMarked(table, $0.key) }
            }
            return doomed
        }
    }

    private func graph(_ random: inout SeededGenerator) -> Graph {
        var graph = Graph(
            pairs: (0..<(3 + random.below(4))).map { _ in
                let isToMany = random.pick([[true, false], [true, true], [false, false], [true, false]])
                let rules: [DeleteRule] = [.cascade, .nullify, .nullify, .deny, .noAction]
                return Pair(
                    ends: (0...1).map { _ in random.pick(["E0", "E1", "E2", "E3"]) }, isToMany: isToMany,
                    rules: (0...1).map { _ in random.pick(rules) },
                    isRequired: isToMany.map { !$0 && random.once(in: 4) })
            })
        for table in ["E0", "E1", "E2"] {
            graph.objects[table] = Dictionary(
                uniqueKeysWithValues: (1...Int64(4 + random.below(6))).map { key in
                    (key, table == "E0" && random.once(in: 2) ? "E3" : table)
                })
        }
        for index in graph.pairs.indices {
            let pair = graph.pairs[index]
            for _ in 0..<random.below(9) {
                let keys = pair.ends.map { end in
                    random.pick(
                        (graph.objects[Graph.root(end)] ?? [:]).keys.filter { graph.isKind($0, end) }.sorted() + [0])
                }
                guard !keys.contains(0) else { continue }
                let isTaken = (0...1).contains { side in
                    !pair.isToMany[side] && graph.pairs[index].links.contains { $0[side] == keys[side] }
                }
                if !isTaken { graph.pairs[index].links.insert(keys) }
            }
        }
        return graph
    }

    private func world(_ graph: Graph) throws -> FetchWorld {
        var entities = ["E0", "E1", "E2", "E3"].map(EntityDescription.init)
        entities[3].parent = "E0"
        for (index, pair) in graph.pairs.enumerated() {
            for side in 0...1 {
                var relationship = RelationshipDescription("\(["a", "b"][side])\(index)", to: pair.ends[1 - side])
                relationship.inverse = "\(["b", "a"][side])\(index)"
                relationship.isToMany = pair.isToMany[side]
                relationship.deleteRule = pair.rules[side]
                relationship.isOptional = !pair.isRequired[side]
                guard let place = entities.firstIndex(where: { $0.name == pair.ends[side] }) else { continue }
                entities[place].relationships.append(relationship)
            }
        }
        let world = try FetchWorld(try Model(ModelDescription(entities)))
        var statements: [SQLFragment] = []
        for (table, rows) in graph.objects {
            for (key, entity) in rows {
                let name: SQLFragment = table == "E0" ? ", \(entity)" : ""
                let column: SQLFragment = table == "E0" ? ", _entity" : ""
                statements.append("INSERT INTO \(identifier: table) (_pk\(column)) VALUES (\(key)\(name))")
            }
        }
        for (index, pair) in graph.pairs.enumerated() {
            for link in pair.links {
                if pair.isToMany == [true, true] {
                    let (table, isForward) = try join(world, pair, index)
                    statements.append(
                        "INSERT INTO \(identifier: table) (_source, _target) VALUES (\(link[isForward ? 0 : 1]), \(link[isForward ? 1 : 0]))"
                    )
                }
                for side in 0...1 where !pair.isToMany[side] {
                    let column = "\(["a", "b"][side])\(index)"
                    statements.append(
                        "UPDATE \(identifier: Graph.root(pair.ends[side])) SET \(identifier: column) = \(link[1 - side]) WHERE _pk = \(link[side])"
                    )
                }
            }
        }
        try world.insert(statements)
        return world
    }

    private func join(_ world: FetchWorld, _ pair: Pair, _ index: Int) throws -> (String, isForward: Bool) {
        let name = "_\(pair.ends[0]).a\(index)"
        let isForward = try world.connection.value(of: "SELECT 1 FROM sqlite_master WHERE name = \(name)") == 1
        return (isForward ? name : "_\(pair.ends[1]).b\(index)", isForward)
    }

    /// A description of the first difference between the database and the graph, or nil.
    private func difference(_ world: FetchWorld, _ graph: Graph) throws -> String? {
        for (table, rows) in graph.objects {
            let keys = try world.connection.rows(of: "SELECT _pk FROM \(identifier: table) ORDER BY 1")
            if keys != rows.keys.sorted().map({ [.integer($0)] }) { return "\(table): \(keys)" }
        }
        for (index, pair) in graph.pairs.enumerated() {
            if pair.isToMany == [true, true] {
                let (table, isForward) = try join(world, pair, index)
                let found = try world.connection.rows(of: "SELECT _source, _target FROM \(identifier: table)")
                let links = Set(
                    pair.links.map { [SQLValue.integer($0[isForward ? 0 : 1]), .integer($0[isForward ? 1 : 0])] })
                if Set(found) != links { return "\(table): \(found)" }
            }
            for side in 0...1 where !pair.isToMany[side] {
                let (table, column) = (Graph.root(pair.ends[side]), "\(["a", "b"][side])\(index)")
                let found = try world.connection.rows(
                    of:
                        "SELECT _pk, \(identifier: column) FROM \(identifier: table) WHERE \(identifier: column) IS NOT NULL"
                )
                let links = pair.links.filter { graph.objects[table]?[$0[side]] != nil }
                let expected = Set(links.map { [SQLValue.integer($0[side]), .integer($0[1 - side])] })
                if Set(found) != expected { return "\(table).\(column): \(found), expected \(expected)" }
            }
        }
        return nil
    }

    @Test("Random batch deletions leave what a naive walk over the objects leaves")
    func randomDeletions() throws {
        var random = SeededGenerator.fresh()
        let seed = random.seed
        var counts = (done: 0, denied: 0, required: 0)
        for round in 0..<150 {
            var graph = graph(&random)
            let world = try world(graph)
            let batches = FetchCompiler(schema: world.compiler.schema, model: world.model)
            for step in 0..<4 {
                let table = random.pick(["E0", "E1", "E2"])
                guard let key = (graph.objects[table] ?? [:]).keys.sorted().first else { continue }
                let expected = Result { try graph.delete(table, key) }
                var delete = BatchDelete(entity: table)
                delete.filter =
                    "SELF == \(FilterReference(FilterSQLID(storedEntity: try world.entity(table), storedKey: key)))"
                let found = Result { try batches.execute(delete, on: world.connection) }
                switch (expected, found) {
                case (.success(let doomed), .success(let result)):
                    counts.done += 1
                    let names = Set(result.deleted.map { "\($0.entity.root.name) \($0.key)" })
                    #expect(names == doomed, "seed \(seed), round \(round), step \(step)")
                case (.failure(Graph.Refusal.denied), .failure(let error as FetchError)):
                    counts.denied += 1
                    #expect(error.code == .denied, "seed \(seed), round \(round), step \(step): \(error)")
                case (.failure(Graph.Refusal.required), .failure(let error as FetchError)):
                    counts.required += 1
                    #expect(error.code == .required, "seed \(seed), round \(round), step \(step): \(error)")
                default: Issue.record("seed \(seed), round \(round), step \(step): \(expected), \(found)")
                }
                if let difference = try difference(world, graph) {
                    Issue.record("seed \(seed), round \(round), step \(step): \(difference)")
                    return
                }
            }
        }
        print("deletions: \(counts)")
        #expect(counts.done > 100 && counts.denied > 20 && counts.required > 5, "seed \(seed)")
    }
}
