import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Groups, aggregates, group conditions and distinct rows in SQL are compared with those computed in memory.
@Suite struct ValueDifferentialTests {
    /// The objects of a group, for filters such as `rows.@sum.i == 3`.
    private struct Group: FilterSubject {
        let rows: [FilterSQLObject]

        func filterValue(forKey key: String) throws(FilterError) -> FilterProperty { .many(rows) }
    }

    private static let keys = ["i", "j", "d", "f", "dec", "s", "b", "when", "bin", "uid", "link"]
    private static let numbers = ["i", "j", "d", "f", "dec", "b"]

    private func isEqual(_ left: FilterExpression, _ right: FilterValue, _ subject: some FilterSubject) throws -> Bool {
        if case .double(let number) = right, number.isNaN {
            return try !Filter(left, .equal, left).matches(subject)
        }
        return try Filter(left, .equal, .constant(right)).matches(subject)
    }

    @Test("Random groups and aggregates in SQL match those computed in memory")
    func randomGroups() throws {
        var random = SeededGenerator.fresh()
        let seed = random.seed
        var compared = 0
        for _ in 0..<25 {
            let world = try FilterSQLWorld(&random)
            let compiler = FetchCompiler(schema: world.schema, model: world.model)
            for _ in 0..<40 {
                let entity = random.pick(["Item", "Special"])
                let kind = try #require(world.model[entity])
                var request = ValueRequest(entity: entity)
                if random.once(in: 2) { request.filter = "i > 0 OR s != nil" }
                var all = (world.objects["Item"] ?? []).filter { $0.entity.isKind(of: kind) }
                if let filter = request.filter { all = try filter.filtering(all) }
                let paths = (0..<random.below(3)).map { _ in random.pick(Self.keys) }
                request.groupBy = paths.map { [$0] }
                request.columns = paths.enumerated().map { .init("g\($0)", .keyPath([$1])) }
                var aggregates: [(name: String, path: String)] = []
                for place in 0..<4 {
                    let (function, name) = random.pick([
                        (FilterFunction.sum, "@sum"), (.average, "@avg"), (.min, "@min"), (.max, "@max"),
                        (.count, "@count"),
                    ])
                    let isExtreme = function == .min || function == .max || function == .count
                    let key = random.pick(isExtreme ? Self.keys : Self.numbers)
                    aggregates.append((name, key))
                    request.columns.append(.init("a\(place)", .function(function, [.keyPath([key])])))
                }
                if random.once(in: 2) { request.having = "a0 != nil AND a0 == a0" }
                request.isDistinct = random.once(in: 3)
                // In memory, objects with equal values for all keys form a group.
                var groups: [[FilterSQLObject]] = paths.isEmpty ? [[]] : []
                for object in all {
                    let place = try groups.firstIndex { group in
                        try group.isEmpty
                            || paths.allSatisfy { try isEqual(.keyPath([$0]), group[0].values[$0] ?? .null, object) }
                    }
                    if let place { groups[place].append(object) } else { groups.append([object]) }
                }
                func path(_ aggregate: (name: String, path: String)) -> FilterExpression {
                    .keyPath(["rows", aggregate.name] + [aggregate.path])
                }
                if request.having != nil {
                    let first = path(aggregates[0])
                    groups = try groups.filter {
                        try Filter.and([Filter(first, .notEqual, .constant(.null)), Filter(first, .equal, first)])
                            .matches(Group(rows: $0))
                    }
                }
                let rows = try compiler.query(request).rows(on: world.connection) { FilterReference(RowKey($0, $1)) }
                var rest = rows
                for group in groups {
                    let place = try rest.firstIndex { row in
                        for (index, key) in paths.enumerated() {
                            guard let object = group.first, let value = row["g\(index)"] else { return false }
                            if try !isEqual(.keyPath([key]), value, object) { return false }
                        }
                        for (index, aggregate) in aggregates.enumerated() {
                            guard let value = row["a\(index)"] else { return false }
                            if try !isEqual(path(aggregate), value, Group(rows: group)) { return false }
                        }
                        return true
                    }
                    guard let place else {
                        Issue.record("seed \(seed): \(request): no row for \(group.map(\.key)) in \(rows)")
                        return
                    }
                    rest.remove(at: place)
                    compared += 1
                }
                #expect(rest.isEmpty, "seed \(seed): \(request): too many rows \(rest)")
            }
        }
        print("groups compared: \(compared)")
        #expect(compared > 3000, "seed \(seed)")
    }

    @Test("Random distinct rows in SQL match those computed in memory")
    func randomDistinctRows() throws {
        var random = SeededGenerator.fresh()
        let seed = random.seed
        for _ in 0..<25 {
            let world = try FilterSQLWorld(&random)
            let compiler = FetchCompiler(schema: world.schema, model: world.model)
            for _ in 0..<20 {
                let keys = [random.pick(Self.keys), random.pick(["i", "dec", "b", "f"])]
                var request = ValueRequest(entity: "Item")
                request.columns = keys.enumerated().map { .init("c\($0)", .keyPath([$1])) }
                request.isDistinct = true
                request.sort = [SortKey("c1", ascending: false), SortKey("c0")]
                let limit = random.below(6)
                request.limit = limit > 0 ? limit : nil
                request.offset = random.below(3)
                let rows = try compiler.query(request).rows(on: world.connection) { FilterReference(RowKey($0, $1)) }
                let sorted = try [SortKey(keys[1], ascending: false), SortKey(keys[0])].sorted(
                    world.objects["Item"] ?? [])
                var distinct: [FilterSQLObject] = []
                for object in sorted {
                    let isKnown = try distinct.contains { other in
                        try keys.allSatisfy { try isEqual(.keyPath([$0]), other.values[$0] ?? .null, object) }
                    }
                    if !isKnown { distinct.append(object) }
                }
                var expected = Array(distinct.dropFirst(request.offset))
                if limit > 0 { expected = Array(expected.prefix(limit)) }
                #expect(rows.count == expected.count, "seed \(seed): \(request)")
                for (row, object) in zip(rows, expected) {
                    for (key, value) in zip(keys, row.values) {
                        let isSame = try isEqual(.keyPath([key]), value, object)
                        #expect(isSame, "seed \(seed): \(request): \(row) for \(object.values)")
                    }
                }
            }
        }
    }
}
