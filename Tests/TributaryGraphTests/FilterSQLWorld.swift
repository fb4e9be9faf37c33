import Foundation
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A model with all kinds of attributes and relationships, and a random graph of it in a database and in memory.
struct FilterSQLWorld {
    let model: Model
    let schema: Schema
    let connection: Connection
    private(set) var objects: [String: [FilterSQLObject]] = [:]

    static func description() -> ModelDescription {
        func relationship(
            _ name: String, _ destination: String, _ inverse: String?, isToMany: Bool = false
        ) -> RelationshipDescription {
            makeRelationship(
                name, to: destination, inverse: inverse, isToMany: isToMany,
                rule: inverse == nil ? .noAction : .nullify)
        }
        var item = EntityDescription("Item")
        var cached = AttributeDescription("cached", .string)
        cached.isTransient = true
        item.attributes = [
            AttributeDescription("i", .integer64), AttributeDescription("j", .integer16),
            AttributeDescription("d", .double), AttributeDescription("f", .float),
            AttributeDescription("dec", .decimal), AttributeDescription("s", .string),
            AttributeDescription("t", .string), AttributeDescription("b", .boolean),
            AttributeDescription("when", .date), AttributeDescription("bin", .binary),
            AttributeDescription("uid", .uuid), AttributeDescription("link", .uri),
            AttributeDescription("doc", .json), AttributeDescription("shape", .transformable), cached,
        ]
        item.relationships = [
            relationship("owner", "Owner", "items"), relationship("tags", "Tag", "items", isToMany: true),
            relationship("next", "Item", "previous"), relationship("previous", "Item", "next", isToMany: true),
            relationship("friends", "Item", "friends", isToMany: true),
        ]
        let special = makeEntity("Special", parent: "Item", [makeAttribute("bonus", .integer64)])
        let owner = makeEntity(
            "Owner", [makeAttribute("name"), makeAttribute("limit", .integer64)],
            [relationship("items", "Item", "owner", isToMany: true), relationship("favourite", "Special", nil)])
        let tag = makeEntity(
            "Tag", [makeAttribute("name"), makeAttribute("weight", .double)],
            [relationship("items", "Item", "tags", isToMany: true)])
        return ModelDescription([item, special, owner, tag])
    }

    static let texts = [
        "", "a", "A", "b", "ab", "Ab", "é", "e\u{301}", "É", "ß", "SS", "ss", "a\u{0}b", "a\u{0}", "\u{1F600}",
        "\u{ffff}", "x*y", "x?y", "%", "_", "'", "1", "1.5", "Σ", "ς", "a.b", "12345678-1234-1234-1234-1234567890AB",
    ]

    init(_ random: inout SeededGenerator) throws {
        let model = try Model(Self.description())
        self.model = model
        schema = Schema(model)
        connection = try Connection(.memory)
        try FilterFunctions.define(on: connection)
        for statement in schema.creation() { try connection.execute(statement) }
        let names = ["Item", "Special", "Owner", "Tag"]
        let counts = [10 + random.below(10), 3 + random.below(5), 5, 6]
        var keys: [String: Int64] = [:]
        for (name, count) in zip(names, counts) {
            guard let entity = model[name] else { continue }
            for _ in 0..<count {
                keys[entity.root.name, default: 0] += 1
                let object = FilterSQLObject(entity, keys[entity.root.name] ?? 0)
                for attribute in entity.attributes where !attribute.isTransient {
                    object.values[attribute.name] = .null
                    if !random.once(in: 5) {
                        object.values[attribute.name] = Self.value(attribute.type, &random)
                    }
                }
                object.values["cached"] = "c"
                objects[entity.root.name, default: []].append(object)
            }
        }
        relate(&random)
        try insert()
    }

    static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> FilterValue {
        switch type {
        case .integer64, .integer16:
            return .integer(random.pick([0, 1, 2, 3, -1, 7, 64, 9_007_199_254_740_993, .max, .min]))
        case .double: return .double(random.pick([0, 1, 1.5, -2.25, 3, .infinity, -.infinity, 9_007_199_254_740_992]))
        case .float: return .double(Double(random.pick([Float(0), 1, 0.1, 2.5, -3])))
        case .decimal:
            let texts = ["0", "1", "0.1", "-1.25", "3", "123456789012345678901234567890", "0.000001", "-20"]
            return .decimal(Decimal(string: random.pick(texts)) ?? 0)
        case .string: return .string(random.pick(texts))
        case .boolean: return .boolean(random.once(in: 2))
        case .date: return .date(Date(timeIntervalSince1970: random.pick([0, 0.1, 1, 978_307_200, 1.7e9, -5.5, 1e-9])))
        case .json: return .string(random.pick(["{}", "[1, 2]", "\"a\"", "null", "1", "{\"a\": {\"b\": [1]}}"]))
        case .binary, .transformable: return .data(Data(random.pick([[], [0], [1, 2], [0, 255], [1]])))
        case .uuid:
            let text = "12345678-1234-1234-1234-12345678900\(random.below(3))"
            return UUID(uuidString: text).map(FilterValue.uuid) ?? .null
        default: return URL(string: "https://example.org/\(random.below(3))").map(FilterValue.url) ?? .null
        }
    }

    private func relate(_ random: inout SeededGenerator) {
        let (items, owners, tags) = (objects["Item"] ?? [], objects["Owner"] ?? [], objects["Tag"] ?? [])
        for item in items {
            if !random.once(in: 4) {
                let owner = random.pick(owners)
                item.one["owner"] = owner
                owner.many["items", default: []].append(item)
            }
            if !random.once(in: 3) {
                let next = random.pick(items)
                item.one["next"] = next
                next.many["previous", default: []].append(item)
            }
            for tag in tags where random.once(in: 3) {
                item.many["tags", default: []].append(tag)
                tag.many["items", default: []].append(item)
            }
            for other in items where other.key >= item.key && random.once(in: 8) {
                item.many["friends", default: []].append(other)
                if other !== item { other.many["friends", default: []].append(item) }
            }
        }
        let specials = items.filter { $0.entity.name == "Special" }
        for owner in owners where !random.once(in: 3) { owner.one["favourite"] = random.pick(specials) }
        for object in items + owners + tags {
            for name in object.many.keys { object.many[name]?.sort { $0.key < $1.key } }
        }
    }

    private func insert() throws {
        try connection.execute("BEGIN")
        for object in objects.values.joined() {
            var columns: [SQLFragment] = ["\"_pk\""]
            var values: [SQLFragment] = ["\(object.key)"]
            if object.entity.root.name == "Item" {
                columns.append("\"_entity\"")
                values.append("\(object.entity.name)")
            }
            for attribute in object.entity.attributes where !attribute.isTransient {
                columns.append("\(identifier: attribute.name)")
                values.append("\(Self.stored(object.values[attribute.name] ?? .null))")
            }
            for (name, other) in object.one {
                columns.append("\(identifier: name)")
                values.append("\(other.key)")
            }
            try connection.execute(
                "INSERT INTO \(identifier: object.entity.root.name) (\(columns)) VALUES (\(values))")
        }
        for item in objects["Item"] ?? [] {
            for tag in item.many["tags"] ?? [] {
                try connection.execute("INSERT INTO \"_Item.tags\" (_source, _target) VALUES (\(item.key), \(tag.key))")
            }
            for other in item.many["friends"] ?? [] where other.key >= item.key {
                try connection.execute(
                    "INSERT INTO \"_Item.friends\" (_source, _target) VALUES (\(item.key), \(other.key))")
            }
        }
        try connection.execute("COMMIT")
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

    func inSQL(_ entity: String, _ filter: Filter, _ keys: [SortKey]) throws -> [Int64] {
        guard let entity = model[entity] else { return [] }
        let (compiler, alias) = (FetchCompiler(schema: schema, model: model), FetchCompiler.alias)
        let condition = try compiler.condition(filter, of: entity)
        let order = try compiler.order(keys, of: entity) + ["\(identifier: alias).\"_pk\""]
        let scope = compiler.scope(of: entity).first ?? "1"
        let rows = try connection.rows(
            of:
                "SELECT \(identifier: alias).\"_pk\", \(condition) FROM \(compiler.table(of: entity)) WHERE \(scope) ORDER BY \(order)"
        )
        return try rows.compactMap { row in
            guard case .integer(let key) = row[0], row[1] == 0 || row[1] == 1 else {
                throw SQLiteError(.misuse, "a condition is \(row[1])", database: "test")
            }
            return row[1] == 1 ? key : nil
        }
    }

    func inMemory(_ entity: String, _ filter: Filter, _ keys: [SortKey]) throws -> [Int64] {
        guard let entity = model[entity] else { return [] }
        let all = (objects[entity.root.name] ?? []).filter { $0.entity.isKind(of: entity) }
        return try keys.sorted(filter.filtering(all)).map(\.key)
    }
}
