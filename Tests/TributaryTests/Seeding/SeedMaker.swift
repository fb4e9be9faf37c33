import TributaryTestSupport

/// Draws seeds of a `SeedStudio`, whose objects refer to others in all ways that seeds can.
struct SeedMaker {
    private static let kinds = [
        "Work": ["Work", "Comic"], "Comic": ["Comic"], "Shelf": ["Shelf"], "Room": ["Room"], "Tag": ["Tag"],
        "Label": ["Label"],
    ]
    private static let ones = [
        "Work": ["shelf": "Shelf", "room": "Room", "sequel": "Work"], "Comic": ["twin": "Comic"],
        "Shelf": ["label": "Label"], "Label": ["shelf": "Shelf", "room": "Room"],
    ]
    private static let many = [
        "Work": ["kin": "Work", "tags": "Tag"], "Shelf": ["works": "Work", "loose": "Work"],
        "Room": ["works": "Work", "labels": "Label"], "Tag": ["works": "Work"],
    ]

    private var lots: SeededGenerator
    /// Whether some values are not valid.
    private let hasFaults: Bool
    /// The names of objects so far, by entity.
    private var names: [String: [String]] = [:]
    private var count = 0

    init(_ lots: SeededGenerator, hasFaults: Bool) { (self.lots, self.hasFaults) = (lots, hasFaults) }

    /// A seed file: objects of one entity.
    mutating func file() -> String {
        let entity = lots.pick(["Work", "Comic", "Shelf", "Room", "Tag"])
        let objects = (0..<(1 + lots.below(4))).map { _ in object(entity, depth: 0) }
        return "{\"\(entity)\": [\(objects.joined(separator: ",\n"))]}"
    }

    private mutating func object(_ entity: String, depth: Int) -> String {
        count += 1
        let name = "n\(count)"
        for kind in Self.kinds.keys where Self.kinds[kind]?.contains(entity) == true {
            names[kind, default: []].append(name)
        }
        var members = ["\"<id>\": \"\(name)\""]
        if !hasFaults || !lots.once(in: 30) { members.append("\"title\": \"t\(count)\"") }
        let inherited = entity == "Comic" ? ["Work", "Comic"] : [entity]
        if inherited[0] == "Work" { members += values() }
        var links: [String] = []
        for part in inherited {
            for (name, other) in (Self.ones[part] ?? [:]).sorted(by: { $0.key < $1.key }) {
                // The shelf that has the label sets this side, too.
                if entity == "Label", name == "shelf", !hasFaults { continue }
                if entity == "Label", !hasFaults || !lots.once(in: 10) {
                    links.append("\"\(name)\": \(one(other, depth: depth, isRequired: true))")
                } else if lots.once(in: 3) {
                    links.append("\"\(name)\": \(one(other, depth: depth, isRequired: false))")
                }
            }
            for (name, other) in (Self.many[part] ?? [:]).sorted(by: { $0.key < $1.key }) where lots.once(in: 3) {
                // Another owner would take the label away from its own.
                if other == "Label" { continue }
                let others = (0..<lots.below(4)).map { _ in one(other, depth: depth, isRequired: true) }
                links.append("\"\(name)\": [\(others.joined(separator: ", "))]")
            }
        }
        links.shuffle(using: &lots)
        return "{" + (members + links).joined(separator: ", ") + "}"
    }

    /// An object of an entity: a new one, or an earlier one; or null.
    private mutating func one(_ entity: String, depth: Int, isRequired: Bool) -> String {
        if !isRequired, lots.once(in: 6) { return "null" }
        if let known = names[entity], depth > 2 || !lots.once(in: 3) { return "\"<ref:\(lots.pick(known))>\"" }
        let kind = lots.pick(Self.kinds[entity] ?? [])
        return "{\"\(kind)\": \(object(kind, depth: depth + 1))}"
    }

    private mutating func values() -> [String] {
        var values: [String] = []
        if lots.once(in: 3) { values.append("\"code\": \(lots.once(in: 3) ? "\"<uniqueID>\"" : "\"c\(count)\"")") }
        if hasFaults, lots.once(in: 30) { values.append("\"code\": \"\(lots.below(3))\"") }
        if lots.once(in: 3) { values.append("\"pages\": \(lots.below(hasFaults ? 520 : 500))") }
        if lots.once(in: 4) {
            values.append("\"number\": \(lots.once(in: 2) ? "\"<uniqueID>\"" : "\(lots.below(90))")")
        }
        if lots.once(in: 4) { values.append("\"day\": \"2024-02-0\(1 + lots.below(9))T10:00:00.25Z\"") }
        if lots.once(in: 4) { values.append("\"price\": \(lots.below(100)).10") }
        if lots.once(in: 4) { values.append("\"mark\": \"6F9619FF-8B86-D011-B42D-00CF4FC964F\(lots.below(10))\"") }
        if lots.once(in: 4) { values.append("\"isShown\": true") }
        return values
    }
}
