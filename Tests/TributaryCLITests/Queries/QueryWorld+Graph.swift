import Foundation
import TributaryModel
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// The objects, their links and their rows.
extension QueryWorld {
    static let texts = [
        "", "a", "A", "b", "ab", "Ab", "é", "e\u{301}", "É", "ß", "SS", "a\u{0}b", "a\u{0}", "😀", "\u{ffff}", "x*y",
        "x?y", "%", "_", "'", "\"", "1", "1.5", "Σ", "ς", "a.b", "a,b", "line\nline", "tab\tend", "\\", "a|b", " a ",
        "null", "\r\n", "\u{1b}[1m",
    ]

    static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> FilterValue {
        switch type {
        case .integer16: return .integer(random.pick([0, 1, 2, 3, -1, 7, .init(Int16.max)]))
        case .integer32: return .integer(random.pick([0, 1, 2, 3, -1, 7, .init(Int32.min)]))
        case .integer64:
            return .integer(random.pick([0, 1, 2, 3, -1, 7, 64, 9_007_199_254_740_993, .max, .min]))
        case .double:
            return .double(
                random.pick([
                    0, 1, 1.5, -2.25, 3, 0.1, 1e22, 1e-7, .infinity, -.infinity, .leastNonzeroMagnitude,
                    1.7976931348623157e308,
                    9_007_199_254_740_992,
                ]))
        case .float: return .double(Double(random.pick([Float(0), 1, 0.1, 2.5, -3, 16_777_216])))
        case .decimal:
            let texts = ["0", "1", "0.1", "-1.25", "3", "123456789012345678901234567890", "0.000001", "-20", "NaN"]
            return .decimal(Decimal(string: random.pick(texts)) ?? .nan)
        case .string: return .string(random.pick(texts))
        case .boolean: return .boolean(random.once(in: 2))
        case .date:
            return .date(
                Date(
                    timeIntervalSince1970: random.pick([
                        0, 0.1, 1, 978_307_200, 1.7e9, -5.5, 1e-9, -62_167_219_200, 253_402_300_799, 1e13,
                    ])))
        case .json:
            let texts = ["{}", "[1, 2]", "\"a\"", "null", "1", "{\"a\": {\"b\": [1]}}", "\"\\u0000\\n\""]
            return .string(random.pick(texts))
        case .uuid:
            return UUID(uuidString: "12345678-1234-1234-1234-12345678900\(random.below(3))").map(FilterValue.uuid)
                ?? .null
        case .uri: return URL(string: "https://example.org/\(random.below(3))?a=b,c").map(FilterValue.url) ?? .null
        default: return .data(Data(random.pick([[], [0], [1, 2], [0, 255], [1]])))
        }
    }

    mutating func makeObjects(_ random: inout SeededGenerator) {
        for entity in model.entities {
            for _ in 0..<random.pick([0, 4, 8, 8, 12]) {
                let key = Int64((objects[entity.root.name]?.count ?? 0) + 1)
                let object = QueryObject(entity, key)
                for attribute in entity.attributes where attribute.name != "id" && !random.once(in: 5) {
                    object.values[attribute.name] = QueryWorld.value(attribute.type, &random)
                }
                // Keys differ; a row may have none.
                if let id = entity["id"]?.attribute, !random.once(in: 9) {
                    switch id.type {
                    case .integer64: object.values["id"] = .integer(100 - key)
                    case .uuid:
                        object.values["id"] = .uuid(
                            UUID(uuidString: "00000000-0000-0000-0000-0000000000\(99 - key)") ?? UUID())
                    default: object.values["id"] = .string("k\(key),")
                    }
                }
                objects[entity.root.name, default: []].append(object)
            }
        }
    }

    mutating func relate(_ random: inout SeededGenerator) {
        var links = 0
        for entity in model.entities {
            for relationship in entity.relationships where relationship.entity == entity {
                // A link is drawn from the to-one side, or from the side of the smaller name.
                if let inverse = relationship.inverse, inverse != relationship {
                    let isSecond =
                        "\(relationship.entity.name).\(relationship.name)" > "\(inverse.entity.name).\(inverse.name)"
                    if relationship.isToMany ? !inverse.isToMany || isSecond : !inverse.isToMany && isSecond {
                        continue
                    }
                }
                links += 1
                link(relationship, links, &random)
            }
        }
        for object in objects.values.joined() {
            for name in object.many.keys {
                let isOrdered = object.entity.relationship(named: name)?.isOrdered ?? false
                if !isOrdered { object.many[name]?.sort { $0.key < $1.key } }
            }
        }
    }

    private func link(_ relationship: RelationshipProperty, _ number: Int, _ random: inout SeededGenerator) {
        let (sources, targets) = (all(relationship.entity), all(relationship.destination))
        guard !targets.isEmpty else { return }
        let (name, inverse) = (relationship.name, relationship.inverse)
        var taken: Set<Int64> = []
        // Objects without a row can be the end of to-one relationships alone.
        let missing = (1...2).map { QueryObject(relationship.destination, Int64(1000 * number + $0)) }
        for source in sources {
            if relationship.isToMany {
                for target in targets where random.once(in: 3) {
                    if inverse == relationship, source.many[name]?.contains(where: { $0 === target }) == true {
                        continue
                    }
                    source.many[name, default: []].append(target)
                    if let inverse, inverse != relationship || source !== target {
                        target.many[inverse.name, default: []].append(source)
                    }
                }
            } else if !random.once(in: 4) {
                let target = random.once(in: 8) ? random.pick(missing) : random.pick(targets)
                if let inverse, !inverse.isToMany {
                    guard taken.insert(target.key).inserted, inverse != relationship else { continue }
                    // The other side has a column of its own, which an object without a row does not have.
                    if target.key < 1000 { target.one[inverse.name] = source }
                } else if let inverse {
                    target.many[inverse.name, default: []].append(source)
                }
                source.one[name] = target
            }
        }
    }

    // MARK: Rows

    func insert() throws {
        let connection = try Connection(.file(path))
        let schema = Schema(model)
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.execute("BEGIN")
        for object in objects.values.joined() {
            let root = object.entity.root
            var columns: [SQLFragment] = ["\"_pk\""]
            var values: [SQLFragment] = ["\(object.key)"]
            if !root.subentities.isEmpty {
                columns.append("\"_entity\"")
                values.append("\(object.entity.name)")
            }
            for (name, value) in object.values {
                columns.append("\(identifier: name)")
                values.append("\(QueryWorld.stored(value))")
            }
            for (name, target) in object.one {
                columns.append("\(identifier: name)")
                values.append("\(target.key)")
                guard let relationship = object.entity.relationship(named: name), let inverse = relationship.inverse,
                    inverse.isToMany, inverse.isOrdered,
                    let place = target.many[inverse.name]?.firstIndex(where: { $0 === object })
                else { continue }
                columns.append("\(identifier: Schema.orderColumn(inverse))")
                values.append("\(Int64(place))")
            }
            try connection.execute("INSERT INTO \(identifier: root.name) (\(columns)) VALUES (\(values))")
        }
        for join in schema.joins { try insert(join, connection) }
        try connection.execute("COMMIT")
    }

    private func insert(_ join: JoinLayout, _ connection: Connection) throws {
        let (name, inverse) = (join.relationship.name, join.relationship.inverse)
        for source in all(join.relationship.entity) {
            for (place, target) in (source.many[name] ?? []).enumerated() {
                // One row is both directions of a symmetric link.
                if inverse == join.relationship, target.key < source.key { continue }
                var columns: [SQLFragment] = ["\"_source\"", "\"_target\""]
                var values: [SQLFragment] = ["\(source.key)", "\(target.key)"]
                if join.hasTargetOrder {
                    columns.append("\"_targetOrder\"")
                    values.append("\(Int64(place))")
                }
                if join.hasSourceOrder, let inverse {
                    columns.append("\"_sourceOrder\"")
                    let place = target.many[inverse.name]?.firstIndex { $0 === source } ?? 0
                    values.append("\(Int64(place))")
                }
                try connection.execute("INSERT INTO \(identifier: join.name) (\(columns)) VALUES (\(values))")
            }
        }
    }

    private static func stored(_ value: FilterValue) -> SQLValue {
        switch value {
        case .integer(let number): .integer(number)
        case .double(let number): .real(number)
        case .decimal(let number): .text("\(number)")
        case .string(let text): .text(text)
        case .date(let date): .real(date.timeIntervalSince1970)
        case .data(let data): .blob(Array(data))
        case .uuid(let uuid): .text(uuid.uuidString)
        case .url(let url): .text(url.absoluteString)
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .null, .list, .object: .null
        }
    }
}
