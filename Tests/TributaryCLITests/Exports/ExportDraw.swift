import Foundation
import TributaryModel
import TributaryTestSupport

/// A random model, with records of its entities.
struct ExportDraw {
    /// The relationships from which records are linked, and the direction that is written.
    private struct Link {
        let owner: Int
        let name: String
        let target: Int
        let isToMany: Bool
    }

    private(set) var model = ModelDescription([])
    /// For each entity the name, and its records.
    private(set) var files: [(entity: String, records: [[String: String]])] = []
    /// Paths of relationships, which may not be possible to nest.
    private(set) var paths: [String] = []
    private var lots: SeededGenerator
    private var links: [Link] = []
    /// For each entity the keys of its records; nil for an entity without a key.
    private var keys: [[String]?] = []
    let seed: UInt64

    /// A draw; of keyed entities alone if each row needs a key.
    init(_ generator: SeededGenerator, isKeyed: Bool = false) {
        (lots, seed) = (generator, generator.seed)
        let types: [AttributeType] = [
            .integer16, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri, .json,
        ]
        let count = 2 + lots.below(3)
        var entities: [EntityDescription] = []
        for index in 0..<count {
            var entity = EntityDescription("E\(index)")
            let hasKey = isKeyed || !lots.once(in: 4)
            keys.append(hasKey ? [] : nil)
            if index > 0, hasKey, entities[0].parent == nil, keys[0] != nil, lots.once(in: 5) {
                entity.parent = "E0"
            } else if hasKey {
                var key = AttributeDescription("k", lots.pick([.string, .string, .integer64, .uuid]))
                key.isOptional = false
                entity.attributes.append(key)
                entity.uniquenessConstraints = [["k"]]
            }
            for number in 0..<(1 + lots.below(5)) {
                var attribute = AttributeDescription("a\(index)_\(number)", lots.pick(types))
                attribute.isOptional = true
                entity.attributes.append(attribute)
            }
            entities.append(entity)
        }
        model = ModelDescription(entities)
        for number in 0..<lots.below(5) { link(number, lots.below(count), lots.below(count)) }
        for index in 0..<count { addRecords(index, lots.below(9)) }
        for index in 0..<count { addLinks(index) }
    }

    private mutating func link(_ number: Int, _ owner: Int, _ target: Int) {
        var there = RelationshipDescription("r\(number)", to: "E\(target)")
        (there.isToMany, there.isOptional) = (lots.once(in: 2), true)
        there.isOrdered = there.isToMany && lots.once(in: 3)
        paths.append("E\(owner).r\(number)")
        guard !lots.once(in: 5) || keys[target] == nil else {
            model.entities[owner].relationships.append(there)
            links.append(Link(owner: owner, name: there.name, target: target, isToMany: there.isToMany))
            return
        }
        var back = RelationshipDescription("b\(number)", to: "E\(owner)")
        (back.isToMany, back.isOptional) = (keys[target] != nil && lots.once(in: 2), true)
        back.isOrdered = back.isToMany && lots.once(in: 4)
        (back.inverse, there.inverse) = (there.name, back.name)
        model.entities[owner].relationships.append(there)
        model.entities[target].relationships.append(back)
        paths.append("E\(target).b\(number)")
        let isForward = keys[owner] == nil || keys[target] == nil || lots.once(in: 2)
        links.append(
            isForward
                ? Link(owner: owner, name: there.name, target: target, isToMany: there.isToMany)
                : Link(owner: target, name: back.name, target: owner, isToMany: back.isToMany))
    }

    // MARK: Records

    private func quoted(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    private static let texts = [
        "", "a", "\u{0}", "é", "日本語 text that is longer than a word", "quote \" and \\ and \n\r\t\u{1}\u{1F}", "👩‍👩‍👧",
        "{\"a\":1}", "[", "1", "2001-05-01", "exactly8", "exactly8\"exactly8", "null", "\u{7F}\u{80}\u{2028}", "_", "'",
    ]

    /// Text that looks like JSON, and arrays and objects, as JSON.
    static let looksLikeJSON = [
        "\"{\\\"a\\\":\\\"\\\\u00e9 \\\\/\\\"}\"", "\"[\\\"\\\\ud800\\\"]\"", "\"[\\\"\\\\u001F\\\"]\"",
        "\"[\(String(repeating: "9", count: 1100))]\"", "[\"\\u001f\\n\\b\"]", "{\"é\":[1.50,-0]}",
    ]

    /// A value as JSON.
    mutating func value(_ type: AttributeType) -> String {
        switch type {
        case .integer16: lots.pick(["0", "-32768", "32767", "7"])
        case .integer64: lots.pick(["0", "9223372036854775807", "-9223372036854775808", "9007199254740993", "-1"])
        case .decimal: lots.pick(["0.10", "12345678901234567890.123", "-5", "1e-20", "7"])
        case .double: lots.pick(["0.1", "-0.0", "1e300", "5e-324", "3.0", "123456.789", "0.30000000000000004"])
        case .float: lots.pick(["0.1", "3.5", "-1e30", "16777216"])
        case .boolean: lots.pick(["true", "false"])
        case .date:
            lots.pick([
                "\"2001-05-01T00:00:00Z\"", "\"1969-12-31T23:59:59Z\"", "\"2024-02-29T12:34:56.789Z\"",
                "\"0001-01-01T00:00:00Z\"", "\"1900-03-01T00:00:01.5Z\"", "\"9999-12-31T23:59:59Z\"",
            ])
        case .binary: lots.pick(["\"\"", "\"AP8=\"", "\"iVBORw0KGgo=\""])
        case .uuid: uuid(lots.below(9999))
        case .uri: lots.pick(["\"https://example.org/a?b=c%20d\"", "\"file:///tmp/x\""])
        case .json: lots.pick(["[1,[2,{\"a\":null}]]", "{\"b\":\"[\\u0000\"}", "\"text\"", "7", "{}"])
        default: quoted(lots.pick(ExportDraw.texts))
        }
    }

    private func uuid(_ number: Int) -> String {
        "\"00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - "\(number)".count))\(number)\""
    }

    /// The entity that declares the key of another.
    private func root(_ index: Int) -> Int { model.entities[index].parent == nil ? index : 0 }

    private mutating func addRecords(_ index: Int, _ count: Int) {
        var records: [[String: String]] = []
        for number in 0..<count {
            var record = values(index)
            if keys[index] != nil {
                let key: String
                switch model.entities[root(index)].attributes[0].type {
                case .integer64: key = "\(Int64.max - Int64(index * 100 + number))"
                case .uuid: key = uuid(index * 100 + number)
                default: key = quoted("\(index)/\(number) " + lots.pick(ExportDraw.texts))
                }
                record["k"] = key
                keys[index]?.append(key)
            }
            records.append(record)
        }
        files.append(("E\(index)", records))
    }

    /// Values of some attributes.
    private mutating func values(_ index: Int) -> [String: String] {
        var record: [String: String] = [:]
        let parents = root(index) == index ? [index] : [0, index]
        for attribute in parents.flatMap({ model.entities[$0].attributes }) where attribute.name != "k" {
            if lots.once(in: 4) { continue }
            record[attribute.name] = lots.once(in: 6) ? "null" : value(attribute.type)
        }
        return record
    }

    private mutating func addLinks(_ index: Int) {
        for link in links where link.owner == index {
            // What has no inverse to-many may have one owner only, which the last record decides.
            for number in files[index].records.indices where !lots.once(in: 3) {
                if let known = keys[link.target] {
                    let chosen = known.shuffled(using: &lots).prefix(link.isToMany ? lots.below(4) : 1)
                    if !link.isToMany, chosen.isEmpty { continue }
                    files[index].records[number][link.name] =
                        link.isToMany ? "[\(chosen.joined(separator: ","))]" : chosen.first
                } else {
                    let inner = (0..<(link.isToMany ? lots.below(4) : 1)).map { _ in text(values(link.target)) }
                    files[index].records[number][link.name] =
                        link.isToMany ? "[\(inner.joined(separator: ","))]" : inner[0]
                }
            }
        }
    }

    /// A record as JSON.
    func text(_ record: [String: String]) -> String {
        "{" + record.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// The records of a file.
    func text(_ records: [[String: String]]) -> String { records.map { text($0) + "\n" }.joined() }

    /// Records of an entity with keys, some of them of known objects, with other values and links.
    mutating func changes(_ index: Int) -> [[String: String]] {
        guard keys[index] != nil else { return [] }
        var changed = files[index].records.filter { _ in lots.once(in: 2) }
        for number in changed.indices {
            changed[number].merge(values(index)) { $1 }
            for link in links where link.owner == index && lots.once(in: 2) {
                guard let known = keys[link.target] else { continue }
                let chosen = known.shuffled(using: &lots).prefix(lots.below(3))
                changed[number][link.name] =
                    link.isToMany ? "[\(chosen.joined(separator: ","))]" : chosen.first ?? "null"
            }
        }
        return changed
    }
}
