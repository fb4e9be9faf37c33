import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The checks of the store after each save.
extension WorkshopRun {
    /// Checks the store through a new context and in SQL.
    func checkStore() throws {
        if generator.once(in: 2) {
            let fresh = manager.newPrivateContext(name: "fresh")
            let reader = WorkshopPlayer("fresh", store, in: fresh)
            try reader.enter { context in
                context.faultBatchSize = self.generator.pick([1, 3, 200])
                try self.verify(reader, context)
                try WorkshopFailure.unless(!context.hasChanges, "reading has changed something")
            }
        }
        guard let database = manager.stores.stores.first else { throw WorkshopFailure("no store") }
        try database.read { connection in
            try check(connection, "PRAGMA integrity_check", [["ok"]])
            try check(connection, "PRAGMA foreign_key_check", [])
            try checkRows(connection)
            try checkJoins(connection)
        }
    }

    private func check(_ connection: Connection, _ sql: SQLFragment, _ wanted: [[SQLValue]]) throws {
        let rows = try connection.rows(of: sql)
        try WorkshopFailure.unless(rows == wanted, "\(sql.text) gave \(rows.prefix(20)), expected \(wanted.prefix(20))")
    }

    private func ids(_ entity: String) -> [Int] {
        store.filter { $0.value.entity == entity || entity == "Piece" && $0.value.entity == "FinePiece" }.keys.sorted()
    }

    private func sql(_ value: FilterValue?) -> SQLValue {
        switch value {
        case .integer(let number)?: .integer(number)
        case .string(let text)?: .text(text)
        case .double(let number)?: .real(number)
        case .boolean(let flag)?: .integer(flag ? 1 : 0)
        default: .null
        }
    }

    private func sql(_ id: Int?) -> SQLValue { id.map { .integer(Int64($0)) } ?? .null }

    private func checkRows(_ connection: Connection) throws {
        func one(_ id: Int, _ name: String) -> SQLValue {
            sql(store[id]?.ones[name].flatMap { store[$0] == nil ? nil : $0 })
        }
        let names = ["owner", "holder", "warden", "origin", "twin"]
        try check(
            connection,
            """
            SELECT p.code, p."_entity", p.number, p.name, p.real, p.flag, a.code, b.code, c.code, d.code, e.code, f.code
            FROM "Piece" p LEFT JOIN "Keeper" a ON a."_pk" = p.owner LEFT JOIN "Keeper" b ON b."_pk" = p.holder
            LEFT JOIN "Keeper" c ON c."_pk" = p.warden LEFT JOIN "Keeper" d ON d."_pk" = p.origin
            LEFT JOIN "Keeper" e ON e."_pk" = p.twin LEFT JOIN "Label" f ON f."_pk" = p.pointer ORDER BY p.code
            """,
            ids("Piece").map { id in
                [sql(id), .text(store[id]?.entity ?? "")]
                    + ["number", "name", "real", "flag"].map { sql(store[id]?.values[$0]) }
                    + (names + ["pointer"]).map { one(id, $0) }
            })
        try check(
            connection,
            """
            SELECT k.code, k.number, k.name, t.code, a.code FROM "Keeper" k LEFT JOIN "Piece" t ON t."_pk" = k.twin
            LEFT JOIN "Keeper" a ON a."_pk" = k.above ORDER BY k.code
            """,
            ids("Keeper").map { id in
                [
                    sql(id), sql(store[id]?.values["number"]), sql(store[id]?.values["name"]), one(id, "twin"),
                    one(id, "above"),
                ]
            })
        try check(
            connection,
            """
            SELECT k.code, p.code FROM "Piece" p JOIN "Keeper" k ON k."_pk" = p.holder
            ORDER BY k.code, p."_order.Keeper.queue"
            """,
            ids("Keeper").flatMap { id in (store[id]?.manys["queue"] ?? []).map { [sql(id), sql($0)] } })
        // Keys below 1 are temporary, and must never be stored.
        try check(connection, "SELECT code FROM \"Piece\" WHERE pointer < 1 OR origin < 1 OR \"_pk\" < 1", [])
    }

    private func checkJoins(_ connection: Connection) throws {
        func pairs(_ entity: String, _ name: String) -> [[SQLValue]] {
            ids(entity).flatMap { id in
                (store[id]?.manys[name] ?? []).filter { store[$0] != nil }.sorted().map { [sql(id), sql($0)] }
            }
        }
        func joined(_ table: String, _ from: String, _ to: String) -> SQLFragment {
            """
            SELECT a.code, b.code FROM \(identifier: table) j JOIN \(identifier: from) a ON a."_pk" = j."_source"
            JOIN \(identifier: to) b ON b."_pk" = j."_target" ORDER BY a.code, b.code
            """
        }
        try check(connection, joined("_Label.pieces", "Label", "Piece"), pairs("Label", "pieces"))
        try check(connection, joined("_Label.ranked", "Label", "Piece"), pairs("Label", "ranked"))
        try check(connection, joined("_Piece.pointers", "Piece", "Label"), pairs("Piece", "pointers"))
        let friends = try connection.rows(of: joined("_Piece.friends", "Piece", "Piece"))
        let wanted = pairs("Piece", "friends").filter { pair in
            guard case (.integer(let one), .integer(let other)) = (pair[0], pair[1]) else { return false }
            return one <= other
        }
        let found = friends.map { pair in
            guard case (.integer(let one), .integer(let other)) = (pair[0], pair[1]) else { return pair }
            return [.integer(min(one, other)), .integer(max(one, other))]
        }
        try WorkshopFailure.unless(Set(found) == Set(wanted), "friends are \(found), expected \(wanted)")
        try WorkshopFailure.unless(found.count == wanted.count, "a pair of friends stands twice")
    }
}
