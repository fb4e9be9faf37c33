import TributaryImport
import TributaryModel
import TributarySQLite
import TributaryStore

/// The first page: what the database has, and its last runs.
enum HomePage {
    /// The time in which the rows of all tables are counted.
    private static let countingTime = Duration.milliseconds(150)
    /// The rows that are counted of each table first.
    private static let most = 100_000
    /// The runs that are shown.
    private static let shownRuns = 5

    /// The page.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let end = ContinuousClock.now + countingTime
        let opened = database.database
        let entities = opened.model?.entities ?? []
        let known = Set(entities.map(\.name))
        var sources = try entities.filter { $0.parent == nil }.flatMap { [$0] + $0.descendants }.map { entity in
            var values = try row(entity.name, database, end)
            values["depth"] = .text(depth(of: entity) > 0 ? "\(min(depth(of: entity), 4))" : "")
            values["isAbstract"] = .flag(entity.isAbstract)
            values["relations"] = .list(
                entity.relationships.filter { $0.entity == entity }.map {
                    relation($0.name, $0.destination.name, isToMany: $0.isToMany)
                })
            return values
        }
        for name in opened.names.tables where !known.contains(name) {
            var values = try row(name, database, end)
            values["kind"] = entities.isEmpty ? "" : "table"
            values["relations"] = .list(
                try opened.references(from: name).map { relation($0.name, $0.destination, isToMany: false) })
            sources.append(values)
        }
        for name in opened.names.views where !known.contains(name) {
            sources.append(["name": .text(name), "address": .text(Addresses.list(name)), "kind": "view"])
        }
        let (runs, failure) = try runs(database)
        let values: PageValues = [
            "tables": .list(sources), "isEmpty": .flag(sources.isEmpty),
            "running": .list(runs.filter { $0["state"] == "running" }),
            "lastRuns": .list(runs.filter { $0["state"] != "running" }),
            "hasLastRuns": .flag(runs.contains { $0["state"] != "running" }), "runsFailure": .text(failure),
        ]
        return Page("Overview", "home", values)
    }

    /// The last runs, and why they cannot be shown: tables can be read without them.
    private static func runs(_ database: BrowsedDatabase) throws -> ([PageValues], failure: String) {
        guard database.database.model != nil else { return ([], "") }
        do {
            return (try RunsPage.newest(shownRuns, database), "")
        } catch let error as ImportError {
            return ([], "\(error)")
        }
    }

    private static func depth(of entity: Entity) -> Int { entity.parent.map { depth(of: $0) + 1 } ?? 0 }

    private static func relation(_ name: String, _ destination: String, isToMany: Bool) -> PageValues {
        [
            "name": .text(name), "destination": .text(destination), "isToMany": .flag(isToMany),
            "address": .text(Addresses.list(destination)),
        ]
    }

    /// The name of an entity or table, and how many rows it has.
    private static func row(
        _ name: String, _ database: BrowsedDatabase, _ end: ContinuousClock.Instant
    ) throws -> PageValues {
        var values: PageValues = ["name": .text(name), "address": .text(Addresses.list(name))]
        guard ContinuousClock.now < end else { return values }
        guard let source = try database.readable(name) else { return values }
        let list = RowList(ValueRequest(entity: name))
        guard let few = try database.database.count(of: list, in: source, most: most, within: end - .now) else {
            return values
        }
        let all = few < most ? few : try database.database.count(of: list, in: source, within: end - .now)
        values["rows"] = .text(all.map(FigureText.grouped) ?? "\(FigureText.grouped(most))+")
        return values
    }
}
