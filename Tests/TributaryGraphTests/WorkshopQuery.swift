import TributaryGraph
import TributaryTestSupport

/// A filter, and the condition that its matches should satisfy.
struct WorkshopQuery {
    let entity: String
    let filter: Filter?
    let matches: (OracleContext, Int) -> Bool

    private init(_ entity: String, _ filter: Filter?, _ matches: @escaping (OracleContext, Int) -> Bool) {
        self.entity = entity
        self.filter = filter
        self.matches = matches
    }

    static let names = ["", "a", "A", "Zoë", "Zoe\u{308}", "ß", "日本", "👩‍👩‍👧", "a\0b", "it's \"x\"", "%_\\*?"]

    private static func integer(_ context: OracleContext, _ id: Int?) -> Int64? {
        guard let id, case .integer(let number)? = context.world[id]?.values["number"] else { return nil }
        return number
    }

    private static func isAbove(_ context: OracleContext, _ id: Int?, _ bound: Int) -> Bool {
        integer(context, id).map { $0 > bound } ?? false
    }

    private static func isNamed(_ context: OracleContext, _ id: Int?, _ name: String) -> Bool {
        guard let id, let value = context.world[id]?.values["name"] else { return false }
        return value == .string(name)
    }

    static func random(_ generator: inout SeededGenerator) -> WorkshopQuery {
        let bound = generator.below(10) - 2
        let count = generator.below(3)
        let name = generator.pick(names)
        func link(_ name: String, _ entity: String) -> OracleLink { OracleLink.named(name, of: entity) }
        let queries: [WorkshopQuery] = [
            WorkshopQuery("Piece", nil) { _, _ in true },
            WorkshopQuery("FinePiece", nil) { _, _ in true },
            WorkshopQuery("Piece", "number > \(bound)") { isAbove($0, $1, bound) },
            WorkshopQuery("Piece", "name == \(name)") { isNamed($0, $1, name) },
            WorkshopQuery("FinePiece", "name == nil") { $0.world[$1]?.values["name"] == .null },
            WorkshopQuery("Piece", "owner.number > \(bound)") {
                isAbove($0, $0.one($1, link("owner", "Piece")), bound)
            },
            WorkshopQuery("Piece", "owner == nil") { $0.one($1, link("owner", "Piece")) == nil },
            WorkshopQuery("Piece", "pointer.name == \(name)") {
                isNamed($0, $0.one($1, link("pointer", "Piece")), name)
            },
            WorkshopQuery("Piece", "ANY labels.name == \(name)") { context, id in
                context.many(id, link("labels", "Piece")).contains { isNamed(context, $0, name) }
            },
            WorkshopQuery("Piece", "labels.@count > \(count)") { $0.many($1, link("labels", "Piece")).count > count },
            WorkshopQuery("Piece", "ranks.@count == \(count)") { $0.many($1, link("ranks", "Piece")).count == count },
            WorkshopQuery("Piece", "pointers.@count > \(count)") {
                $0.many($1, link("pointers", "Piece")).count > count
            },
            WorkshopQuery("Piece", "ANY friends.number > \(bound)") { context, id in
                context.many(id, link("friends", "Piece")).contains { isAbove(context, $0, bound) }
            },
            WorkshopQuery("Piece", "flag == YES AND number <= \(bound)") { context, id in
                context.world[id]?.values["flag"] == .boolean(true)
                    && (integer(context, id).map { $0 <= bound } ?? false)
            },
            WorkshopQuery("Keeper", "pieces.@count > \(count)") { $0.many($1, link("pieces", "Keeper")).count > count },
            WorkshopQuery("Keeper", "ANY queue.number > \(bound)") { context, id in
                context.many(id, link("queue", "Keeper")).contains { isAbove(context, $0, bound) }
            },
            WorkshopQuery("Keeper", "above.number > \(bound)") {
                isAbove($0, $0.one($1, link("above", "Keeper")), bound)
            },
            WorkshopQuery("Keeper", "twin != nil") { $0.one($1, link("twin", "Keeper")) != nil },
            WorkshopQuery("Keeper", "twin.number > \(bound)") {
                isAbove($0, $0.one($1, link("twin", "Keeper")), bound)
            },
            WorkshopQuery("Label", "ANY pieces.owner.number > \(bound)") { context, id in
                context.many(id, link("pieces", "Label")).contains {
                    isAbove(context, context.one($0, link("owner", "Piece")), bound)
                }
            },
            WorkshopQuery("Label", "ranked.@count > \(count)") { $0.many($1, link("ranked", "Label")).count > count },
        ]
        return generator.pick(queries)
    }

    /// The codes of the expected matches, sorted by number and code.
    func codes(_ context: OracleContext, descending: Bool) -> [Int] {
        let found = context.live.filter { id in
            guard let kind = context.world[id]?.entity else { return false }
            return (kind == entity || kind == "FinePiece" && entity == "Piece") && matches(context, id)
        }
        guard entity != "Label" else { return found }
        // A missing number is sorted before all numbers.
        func rank(_ id: Int) -> Int64 { WorkshopQuery.integer(context, id) ?? Int64.min }
        return found.sorted { one, other in
            let (left, right) = (rank(one), rank(other))
            if left != right { return descending ? left > right : left < right }
            return one < other
        }
    }

    func sort(descending: Bool) -> [SortKey] {
        entity == "Label" ? [SortKey("code")] : [SortKey("number", ascending: !descending), SortKey("code")]
    }
}
