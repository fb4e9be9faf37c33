import CTributaryTwins
import Foundation
import TributaryModel
import TributaryTestSupport

/// `scripts/benchmark import graph`: times films with three relations each beside the same films without relations.
struct GraphBenchmark {
    /// A way to import the films.
    private enum Way: String, CaseIterable {
        /// Directors, studios and genres as rows of their own.
        case nested
        /// One table, written in groups.
        case flat
        /// One table, filled page by page.
        case direct

        var file: String { self == .nested ? "nested" : "flat" }

        var words: [String] {
            switch self {
            case .nested: ["--dangling", "stub"]
            case .flat: ["--first-load", "groups"]
            case .direct: ["--first-load", "direct"]
            }
        }
    }

    let folder: BenchmarkFolder
    let rounds: Int
    let report: Report

    /// Measures 300,000 and 1,000,000 films, and prints.
    func run() throws {
        var costs: [Double] = []
        for count in [300_000, 1_000_000] {
            var seconds: [Way: [Double]] = [:]
            var peak = 0
            for _ in 0..<rounds {
                for way in Way.allCases {
                    let run = try measure(way, count)
                    seconds[way, default: []].append(run.seconds)
                    if way == .nested { peak = max(peak, Int(run.peak_bytes)) }
                }
            }
            func median(_ way: Way) -> Double { (seconds[way] ?? []).median }
            costs.append(median(.nested) / Double(count))
            report.say(
                String(
                    format: "%d films: with relations %.2f s, flat %.2f s (ratio %.2f, target 2.5), "
                        + "flat at once %.2f s (ratio %.2f, target 4); %d MiB",
                    count, median(.nested), median(.flat), median(.nested) / median(.flat), median(.direct),
                    median(.nested) / median(.direct), peak >> 20))
        }
        report.say(
            String(
                format: "cost of a film with 1,000,000: %.2f times that with 300,000 (target 1.2)", costs[1] / costs[0])
        )
    }

    private func measure(_ way: Way, _ count: Int) throws -> twin_child {
        let file = try folder.films(count, way.file, report)
        let model = try folder.model("\(way.file).xml", GraphBenchmark.model(isNested: way == .nested))
        let database = folder.path("work")
        defer { folder.clear("work") }
        let child = try folder.run(
            [
                folder.command, "import", database, file, "--entity", "Film", "--json", "-q", "--model",
                model,
            ] + way.words)
        try folder.check(database, "Film", ids: 1...count)
        return child
    }

    // MARK: Films

    /// Writes films with the ids from 1 to `count` in random order, each with a director, a studio and two genres.
    static func write(_ count: Int, isNested: Bool, to path: String) throws {
        var random = SeededGenerator(seed: 7)
        var ids = (1...count).map { $0 }
        ids.shuffle(using: &random)
        let genres = ["Drama", "Comedy", "Crime", "Action", "Horror", "Western", "Musical", "War", "Noir", "Family"]
        try BenchmarkFolder.write(to: path) { write in
            var text = ""
            for id in ids {
                let director = Int.random(in: 1...count / 10, using: &random)
                let studio = Int.random(in: 1...500, using: &random)
                let first = Int.random(in: 0..<genres.count, using: &random)
                let second = (first + Int.random(in: 1..<genres.count, using: &random)) % genres.count
                let rating = Double(Int.random(in: 10...99, using: &random)) / 10
                text += "{\"id\":\(id),\"title\":\"The film of number \(id)\",\"year\":\(1920 + id % 100),"
                text += "\"runtime\":\(60 + id % 90),\"rating\":\(rating),\"language\":\"en\","
                text +=
                    "\"overview\":\"A story of \(first) friends who look for \(second) things and find \(id) others.\","
                if isNested {
                    text += "\"director\":{\"id\":\(director),\"name\":\"Director \(director)\"},"
                    text += "\"studio\":{\"id\":\(studio),\"name\":\"Studio \(studio)\",\"country\":\"US\"},"
                    text += "\"genres\":[\"\(genres[first])\",\"\(genres[second])\"]}\n"
                } else {
                    text += "\"director_id\":\(director),\"director_name\":\"Director \(director)\","
                    text += "\"studio_id\":\(studio),\"studio_name\":\"Studio \(studio)\",\"studio_country\":\"US\","
                    text += "\"genre\":\"\(genres[first])\",\"genre_2\":\"\(genres[second])\"}\n"
                }
                guard text.utf8.count > 1 << 20 else { continue }
                try write(text)
                text = ""
            }
            try write(text)
        }
    }

    private static func model(isNested: Bool) -> ModelDescription {
        func entity(_ name: String, key: String, _ types: KeyValuePairs<String, AttributeType>) -> EntityDescription {
            var entity = EntityDescription(name)
            entity.attributes = types.map { AttributeDescription($0, $1) }
            entity.uniquenessConstraints = [[key]]
            return entity
        }
        var film = entity(
            "Film", key: "id",
            [
                "id": .integer64, "title": .string, "year": .integer64, "runtime": .integer64, "rating": .double,
                "language": .string, "overview": .string,
            ])
        guard isNested else {
            film.attributes += ["director_id", "studio_id"].map { AttributeDescription($0, .integer64) }
            film.attributes += ["director_name", "studio_name", "studio_country", "genre", "genre_2"]
                .map { AttributeDescription($0, .string) }
            return ModelDescription([film])
        }
        var director = entity("Director", key: "id", ["id": .integer64, "name": .string])
        var studio = entity("Studio", key: "id", ["id": .integer64, "name": .string, "country": .string])
        var genre = entity("Genre", key: "name", ["name": .string])
        func relationship(_ name: String, to other: String, inverse: String, isToMany: Bool) -> RelationshipDescription
        {
            var relationship = RelationshipDescription(name, to: other)
            relationship.inverse = inverse
            relationship.isToMany = isToMany
            relationship.isOptional = true
            return relationship
        }
        film.relationships = [
            relationship("director", to: "Director", inverse: "films", isToMany: false),
            relationship("studio", to: "Studio", inverse: "films", isToMany: false),
            relationship("genres", to: "Genre", inverse: "films", isToMany: true),
        ]
        director.relationships = [relationship("films", to: "Film", inverse: "director", isToMany: true)]
        studio.relationships = [relationship("films", to: "Film", inverse: "studio", isToMany: true)]
        genre.relationships = [relationship("films", to: "Film", inverse: "genres", isToMany: true)]
        return ModelDescription([film, director, studio, genre])
    }
}
