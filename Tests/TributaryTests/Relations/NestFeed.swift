import TributaryTestSupport

/// Random records with objects inside: shared and owned ones, lists and single ones, with and without keys, most of them
/// equal wherever they are.
struct NestFeed {
    private(set) var text = ""
    private let shares: Int
    private let differs: Int
    private let refers: Int
    private let hasOwned: Bool
    private let isDeep: Bool

    init(_ lots: inout SeededGenerator, count: Int) {
        shares = lots.pick([3, 20, 200])
        differs = lots.pick([0, 4, 60])
        refers = lots.pick([0, 5, 40])
        hasOwned = lots.once(in: 2)
        isDeep = lots.once(in: 2)
        let repeats = lots.pick([0, 6, 50])
        for number in 0..<count {
            let id = repeats > 0 && lots.once(in: repeats) ? lots.below(count) : number
            text += record(id, &lots) + "\n"
        }
    }

    private func differs(_ lots: inout SeededGenerator) -> Bool { differs > 0 && lots.once(in: differs) }

    private func record(_ id: Int, _ lots: inout SeededGenerator) -> String {
        var members = ["\"id\":\(id)", "\"title\":\"t\(id)\""]
        if lots.once(in: 2) { members.append("\"director\":\(person(&lots, depth: 0))") }
        if lots.once(in: 9) { members.append("\"director\":null") }
        if !lots.once(in: 4) {
            members.append("\"genres\":[\((0..<lots.below(4)).map { _ in genre(&lots) }.joined(separator: ","))]")
        }
        if lots.once(in: 2) {
            let lines = (0..<lots.below(4)).map { line in
                let key = differs(&lots) ? id + 1 : id
                return "{\"id\":\"\(key)-\(line)\",\"amount\":\(lots.below(9)),\"kind\":\(genre(&lots))}"
            }
            members.append("\"lines\":[\(lines.joined(separator: ","))]")
        }
        if hasOwned {
            let owned = (0..<lots.below(3)).map { "{\"stars\":\($0),\"by\":{\"note\":\"n\(lots.below(3))\"}}" }
            members.append("\"reviews\":[\(owned.joined(separator: ","))]")
        }
        if isDeep, lots.once(in: 3) { members.append("\"sequel\":\(sequel(id, &lots))") }
        return "{\(members.joined(separator: ","))}"
    }

    private func person(_ lots: inout SeededGenerator, depth: Int) -> String {
        let id = lots.below(shares)
        if refers > 0, lots.once(in: refers) { return "\(id)" }
        let name = differs(&lots) ? "other" : "p\(id)"
        if isDeep, refers > 0, lots.once(in: 6) {
            let mentor = lots.pick(["null", "\(lots.below(shares))", "\(shares + lots.below(9))"])
            return "{\"id\":\(id),\"name\":\"\(name)\",\"mentor\":\(mentor)}"
        }
        let place = isDeep && depth < 2 && id % 3 == 0 ? ",\"mentor\":\(person(id + 1, name: "p\(id + 1)"))" : ""
        let year = differs(&lots) ? "" : ",\"year\":\(1900 + id)"
        return "{\"id\":\(id),\"name\":\"\(name)\"\(year)\(place)}"
    }

    private func person(_ id: Int, name: String) -> String {
        "{\"id\":\(id),\"name\":\"\(name)\",\"year\":\(1900 + id)}"
    }

    private func genre(_ lots: inout SeededGenerator) -> String {
        let id = lots.below(8)
        if refers > 0, lots.once(in: refers) { return "\"g\(id)\"" }
        return "{\"id\":\"g\(id)\",\"label\":\"\(differs(&lots) ? "x" : "genre") \(id)\"}"
    }

    private func sequel(_ id: Int, _ lots: inout SeededGenerator) -> String {
        let other = id + lots.below(5) - 2
        return "{\"id\":\(other),\"title\":\"t\(other)\",\"genres\":[\(genre(&lots))]}"
    }
}
