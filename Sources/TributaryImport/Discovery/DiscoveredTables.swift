import TributaryStore
import TributaryJSON
import TributaryModel

/// The tables for records and the objects inside of them, with the links between these.
///
/// A table is named after the member that holds its objects. Members of one name share a table if their objects have the
/// same key, and the members of one are among those of the other.
struct DiscoveredTables {
    /// A place whose objects have rows.
    private struct Place {
        let shape: ObjectShape
        let entity: Int
    }

    private(set) var entities: [EntityDescription]
    /// The mapping of each entity.
    private var mappings: [Mapping]
    /// What was found, a line for each link.
    private(set) var lines: [String] = []
    /// The members that can have no column, by entity.
    private(set) var leftOut: [String] = []
    /// The number of entities that the database has already.
    private let knownCount: Int
    private let includesAll: Bool
    /// The tables of other programs, in lower case.
    private let others: Set<String>
    /// For some places the names of their tables.
    private let tableNames: [String: String]
    /// The column of the records for the name of their source.
    private let source: String?
    /// Whether a column of the database has a value other than null and an empty array.
    private let holdsValues: (_ table: String, _ column: String) throws -> Bool
    private var places: [Place] = []
    /// The places of all objects, also of those that stay JSON.
    private(set) var paths: Set<String> = []
    /// The places of the objects that have a table.
    private(set) var tablePaths: Set<String> = []
    /// The members of the records that stay JSON, as `lines` says.
    private(set) var stayingJSON: Set<String> = []
    private var reported: Set<String> = []
    /// For each entity the attributes that fit what a profile has found.
    private(set) var attributes: [Int: [String: FoundAttribute]] = [:]
    /// For each entity the columns and links that it has, to find out whether a member can have one.
    private var columns: [Int: InferredColumns] = [:]
    /// For each entity of rows of a dictionary the column with their keys, and that with values as they are.
    private var keyColumns: [Int: String] = [:]
    private var valueColumns: [Int: String] = [:]
    /// The name of the column with the keys of a dictionary.
    private let keyName: String
    /// The members of the objects of each entity.
    private var memberNames: [Int: Set<String>] = [:]

    /// The tables of records of a shape, beside those of a database.
    init(
        _ records: [(shape: ObjectShape, key: ImportKey?)], all includesAll: Bool, known: [EntityDescription],
        others: Set<String> = [], names: [String: String] = [:], shaping: ColumnShaping? = nil,
        keyName: String = ReadOptions().keyName,
        holdsValues: @escaping (_ table: String, _ column: String) throws -> Bool
    ) throws {
        (self.includesAll, self.others, tableNames, self.holdsValues) = (includesAll, others, names, holdsValues)
        self.keyName = keyName
        source = shaping?.source
        entities = known
        knownCount = known.count
        mappings = try known.map { try Mapping(of: $0) }
        for (index, shaping) in mappings.map(\.shaping).enumerated() {
            keyColumns[index] = shaping?.keyColumn
            valueColumns[index] = shaping?.valueColumn
        }
        for (shape, key) in records { places.append(Place(shape: shape, entity: try top(shape, key))) }
        for index in entities.indices { memberNames[index] = columnMembers(of: index) }
        for place in places { memberNames[place.entity, default: []].formUnion(place.shape.members.map(\.name)) }
        var next = 0
        while next < places.count {
            try addMembers(of: places[next].shape, to: places[next].entity)
            next += 1
        }
        for index in entities.indices {
            mappings[index].infersNames = false
            mappings[index].key = entities[index].uniquenessConstraints.first
            if places.contains(where: { $0.entity == index }) {
                mappings[index].shaping = shaping ?? ColumnShaping()
                if index != places[0].entity { mappings[index].shaping?.source = nil }
                mappings[index].shaping?.keyColumn = keyColumns[index]
                mappings[index].shaping?.valueColumn = valueColumns[index]
            }
            entities[index].userInfo[MappingResolver.entry] = MappingCoding.text(mappings[index], pretty: false)
        }
    }

    /// The entity of records.
    private mutating func top(_ shape: ObjectShape, _ key: ImportKey?) throws -> Int {
        let top = try entity(named: shape.name, key: key?.parts.map(\.attribute) ?? shape.key.map { [$0] } ?? [])
        for part in key?.parts ?? [] where part.remote.path != [part.attribute] {
            mappings[top][part.attribute].paths = [part.remote]
            if let index = entities[top].attributes.firstIndex(where: { $0.name == part.attribute }) {
                entities[top].attributes[index].valueKinds = .all
            }
        }
        if let source, !entities[top].attributes.contains(where: { $0.name == source }) {
            guard !self.names(of: top).contains(where: { $0.lowercased() == source.lowercased() }) else {
                throw conflict(top, source, "a column for the name of the source cannot have this name")
            }
            entities[top].attributes.append(.inferred(source, kinds: .text))
        }
        if let reason = shape.dictionary { lines.append("objects in \(shape.name) stay JSON: \(reason)") }
        return top
    }

    /// The key of a table, with the paths of `key`.
    func key(of table: String, _ key: ImportKey?) -> ImportKey? {
        key ?? index(of: table).flatMap { entities[$0].uniquenessConstraints.first }.map { ImportKey($0) }
    }

    // MARK: Entities

    private func index(of name: String) -> Int? {
        entities.firstIndex { $0.name.lowercased() == name.lowercased() }
    }

    /// The members that the columns and links of an entity hold.
    private func columnMembers(of entity: Int) -> Set<String> {
        Set(
            names(of: entity).compactMap { name in
                if let paths = mappings[entity].properties[name]?.paths { return paths.first?.path.first }
                return isRelationship(name, of: entity) ? nil : name
            })
    }

    private static func canBeTable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= InferredColumns.maximumNameBytes && !name.hasPrefix("_")
            && !name.hasPrefix("@") && !ReservedNames.isFunction(name)
            && !name.lowercased().hasPrefix("sqlite_") && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: ".") }
    }

    private mutating func entity(named name: String, key: [String]) throws -> Int {
        if let known = index(of: name) {
            let knownKey = entities[known].uniquenessConstraints
            if knownKey.isEmpty, !key.isEmpty {
                // The rows of the table must allow it.
                entities[known].uniquenessConstraints = [key]
            } else if knownKey != (key.isEmpty ? [] : [key]) {
                throw ImportError.otherKey(knownKey.first, key, of: name, in: "the database")
            }
            return known
        }
        entities.append(StoredModel.inferred(name, columns: key, key: key))
        mappings.append(Mapping())
        return entities.count - 1
    }

    /// The entity of the objects of a member, which may be that of other objects.
    private mutating func entity(of shape: ObjectShape, in owner: Int) throws -> Int {
        if let place = places.first(where: { $0.shape === shape }) { return place.entity }
        let key = shape.key.map { [$0] } ?? []
        let names = Set(shape.members.map(\.name))
        let short = shape.name.replacing(".", with: "_")
        let long = "\(entities[owner].name)_\(short)"
        let stated = tableNames[shape.path].map { [$0] }
        for name in stated ?? [short, long] + (2...).prefix(1000).map({ "\(long)_\($0)" }) {
            guard DiscoveredTables.canBeTable(name), !others.contains(name.lowercased()) else { continue }
            if let known = index(of: name) {
                guard !key.isEmpty, entities[known].uniquenessConstraints == [key] else { continue }
                let others = memberNames[known] ?? []
                guard others.isSubset(of: names) || names.isSubset(of: others) else { continue }
                memberNames[known, default: []].formUnion(names)
                places.append(Place(shape: shape, entity: known))
                return known
            }
            let index = try entity(named: name, key: key)
            memberNames[index] = names
            if shape.isElements { addColumns(of: shape, to: index) }
            places.append(Place(shape: shape, entity: index))
            return index
        }
        throw ImportError(
            .route,
            "the objects at \(shape.path) cannot have the table \(stated?.first ?? short): it is taken, or no name",
            hint: "state another name for it")
    }

    /// Adds the columns for the keys of a dictionary, and for its values if these are kept as they are.
    private mutating func addColumns(of shape: ObjectShape, to entity: Int) {
        entities[entity].attributes.append(.inferred(keyName, kinds: .text))
        keyColumns[entity] = keyName
        guard let kinds = shape.valueKinds else { return }
        let name = keyName.lowercased() == InferredColumns.value ? "\(InferredColumns.value)_2" : InferredColumns.value
        entities[entity].attributes.append(.inferred(name, kinds: kinds))
        valueColumns[entity] = name
    }

    // MARK: Members

    private mutating func addMembers(of shape: ObjectShape, to entity: Int) throws {
        for member in shape.members {
            guard let objects = member.objects else { continue }
            paths.insert(objects.rows?.path ?? objects.path)
            guard isRelation(member, objects), member.name.lowercased() != keyColumns[entity]?.lowercased() else {
                continue
            }
            tablePaths.insert(objects.rows?.path ?? objects.path)
            try addLink([member.name], member, objects.rows ?? objects, to: entity)
        }
        let links = Set(entities[entity].relationships.map(\.name))
        for member in shape.members {
            if links.contains(member.name) {
                addKeys(member, to: entity)
                continue
            }
            if entity == places[0].entity && member.name.lowercased() == source?.lowercased()
                || member.name.lowercased() == keyColumns[entity]?.lowercased()
            {
                leaveOut(member.name, of: entity)
                continue
            }
            addColumn(member, to: entity)
            reportJSON(member, [], in: shape, entity)
            guard let objects = member.objects, !member.isList, member.scalarCount == 0, !objects.isDictionary,
                !isRelation(member, objects)
            else { continue }
            try addInnerLinks(of: objects, [member.name], [shape, objects], to: entity)
        }
        if shape.hasFurtherMembers { leaveOut("(further members)", of: entity) }
    }

    /// Says why objects stay JSON, unless that is plain from the options.
    private mutating func reportJSON(_ member: MemberShape, _ path: [String], in shape: ObjectShape, _ entity: Int) {
        guard let objects = member.objects, let reason = reasonForJSON(member, objects) else { return }
        let names = [entities[entity].name] + (path + [member.name]).map(Excerpt.escape)
        let line = "\(names.joined(separator: ".")) stays JSON: \(reason)"
        guard reported.insert(line).inserted else { return }
        lines.append(line)
        if path.isEmpty, shape === places[0].shape { stayingJSON.insert(member.name) }
    }

    private func reasonForJSON(_ member: MemberShape, _ objects: ObjectShape) -> String? {
        if let reason = objects.dictionary { return reason }
        if objects.rows != nil {
            // Records with others are rejected where a table has the values.
            if objects.hasTable { return nil }
            return member.hasOtherValues || member.hasListedObjects ? "it has other values beside dictionaries" : nil
        }
        if let key = objects.incompleteKey, objects.key == nil, !includesAll || objects.hasStatedKey {
            return key.missing > 0
                ? "\(key.missing) of \(objects.count) objects have no \(key.name)" : "not every \(key.name) is a key"
        }
        guard includesAll || objects.key != nil else {
            return member.scalarCount > 0 && objects.holdsObjects(all: false)
                ? "it has other values beside objects" : nil
        }
        if member.hasNestedLists { return "it has arrays in arrays" }
        if member.hasBooleans { return "it has true or false beside objects" }
        if member.hasEndlessNumbers { return "it has numbers of too many digits beside objects" }
        if objects.key == nil, member.scalarCount > 0 || !member.listedKinds.isEmpty {
            return "it has other values beside objects without an id"
        }
        return nil
    }

    /// Adds the links of objects that have no row themselves.
    private mutating func addInnerLinks(
        of shape: ObjectShape, _ path: [String], _ outer: [ObjectShape], to entity: Int
    ) throws {
        for member in shape.members {
            guard let objects = member.objects else { continue }
            paths.insert(objects.rows?.path ?? objects.path)
            reportJSON(member, path, in: shape, entity)
            if isRelation(member, objects) {
                tablePaths.insert(objects.rows?.path ?? objects.path)
                try addLink(path + [member.name], member, objects.rows ?? objects, to: entity)
            } else if !member.isList, member.scalarCount == 0, !objects.isDictionary,
                !outer.contains(where: { $0 === objects })
            {
                try addInnerLinks(of: objects, path + [member.name], outer + [objects], to: entity)
            }
        }
    }

    private func isRelation(_ member: MemberShape, _ objects: ObjectShape) -> Bool {
        // A name that no table can have, even after that of another table.
        guard Self.canBeTable("t_" + member.name.replacing(".", with: "_")), !member.name.isEmpty else { return false }
        return (includesAll || objects.key != nil || objects.rows != nil) && reasonForJSON(member, objects) == nil
    }

    private func isRelationship(_ name: String, of entity: Int) -> Bool {
        entities[entity].relationships.contains { $0.name == name }
    }

    private mutating func addColumn(_ member: MemberShape, to entity: Int) {
        if let attribute = member.attribute {
            attributes[entity, default: [:]][member.name] = attribute.joined(attributes[entity]?[member.name])
        }
        var kinds = member.kinds
        if member.isList || member.objectCount > 0 { kinds.formUnion(.text) }
        if let known = entities[entity].attributes.firstIndex(where: { $0.name == member.name }) {
            entities[entity].attributes[known].valueKinds.formUnion(kinds)
            return
        }
        if takesColumn(member.name, of: entity) {
            entities[entity].attributes.append(.inferred(member.name, kinds: kinds))
        } else {
            leaveOut(member.name, of: entity)
        }
    }

    /// Whether a member that has neither column nor link can have one, which it then takes.
    private mutating func takesColumn(_ name: String, of entity: Int) -> Bool {
        var columns = self.columns.removeValue(forKey: entity) ?? InferredColumns(names(of: entity))
        let count = columns.names.count
        let isNew = columns.index(of: name) == count
        self.columns[entity] = columns
        return isNew
    }

    /// Notes a member that has no column, and makes the column for all of these.
    private mutating func leaveOut(_ member: String, of entity: Int) {
        let name = "\(entities[entity].name).\(Excerpt.escape(member))"
        if reported.insert(name).inserted { leftOut.append(name) }
        guard !entities[entity].attributes.contains(where: { $0.name == InferredColumns.rest }) else { return }
        entities[entity].attributes.append(AttributeDescription(InferredColumns.rest, .json))
        columns[entity] = nil
    }

    /// Adds the kinds of the bare keys of a member to those of the key of its objects.
    private mutating func addKeys(_ member: MemberShape, to entity: Int) {
        let link = entities[entity].relationships.first { link in
            mappings[entity].properties[link.name]?.paths == [RemoteKey(path: [member.name])]
        }
        // Another member has the name.
        guard let link else { return leaveOut(member.name, of: entity) }
        addKeys(member, to: link)
    }

    private mutating func addKeys(_ member: MemberShape, to link: RelationshipDescription) {
        guard let target = index(of: link.destination), let key = entities[target].uniquenessConstraints.first,
            key.count == 1, let column = entities[target].attributes.firstIndex(where: { $0.name == key[0] })
        else { return }
        // Lists are in other rows, and not among the kinds of its own values.
        entities[target].attributes[column].valueKinds.formUnion(member.kinds.union(member.listedKinds))
    }

    /// The names of the columns and links of an entity.
    private func names(of entity: Int) -> [String] {
        entities[entity].attributes.map(\.name) + entities[entity].relationships.map(\.name)
    }

    // MARK: Links

    private mutating func addLink(
        _ path: [String], _ member: MemberShape, _ objects: ObjectShape, to entity: Int
    ) throws {
        let name = linkName(path, of: entity)
        if let known = entities[entity].relationships.first(where: { $0.name == name }) {
            try check(known, member, objects, path, of: entity)
            return addKeys(member, to: known)
        }
        if let column = entities[entity].attributes.firstIndex(where: { $0.name == name }) {
            // At another place its values are keys.
            let isKey = (entities[entity].uniquenessConstraints.first ?? []).contains(name)
            guard try !isKey && (entity >= knownCount || !holdsValues(entities[entity].name, name)) else {
                throw conflict(entity, name, "it holds values, and now objects with an id")
            }
            entities[entity].attributes.remove(at: column)
            columns[entity] = nil
        }
        // A member that can have no column is reported with the columns.
        guard takesColumn(name, of: entity) else { return }
        let target = try self.entity(of: objects, in: entity)
        let isOwned = objects.key == nil
        let isList = member.isList || objects.isElements
        var link = RelationshipDescription(name, to: entities[target].name)
        link.isToMany = isList
        link.isOrdered = isList
        link.deleteRule = isOwned ? .cascade : .nullify
        let isPlain = isList && !(member.mayBeShared || objects.isElements) || isOwned
        var inverse = RelationshipDescription(
            freeName(for: entities[entity].name, link: name, in: target, excluding: target == entity ? name : nil),
            to: entities[entity].name)
        inverse.isToMany = !isPlain
        inverse.isOptional = !isOwned
        (inverse.inverse, link.inverse) = (name, inverse.name)
        (inverse.inverseEntity, link.inverseEntity) = (entities[entity].name, entities[target].name)
        entities[entity].relationships.append(link)
        entities[target].relationships.append(inverse)
        columns[target] = nil
        mappings[entity][name].paths = [RemoteKey(path: path)]
        lines.append(line(link, inverse, of: entity, path, target))
        addKeys(member, to: link)
    }

    /// The name of a link at a path: its members, and a number if another member has that name.
    private func linkName(_ path: [String], of entity: Int) -> String {
        let plain = path.joined(separator: "_")
        let members = places.filter { $0.entity == entity }.flatMap { $0.shape.members.map(\.name) }
        let taken = Set((members + entities[entity].attributes.map(\.name)).map { $0.lowercased() })
        let names = [plain] + (2...1000).map { "\(plain)_\($0)" }
        return names.first { name in
            if isRelationship(name, of: entity) {
                return mappings[entity].properties[name]?.paths == [RemoteKey(path: path)]
            }
            let isSource = entity == places[0].entity && name.lowercased() == source?.lowercased()
            return path == [name] && !isSource || !taken.contains(name.lowercased())
        } ?? plain
    }

    private func line(
        _ link: RelationshipDescription, _ inverse: RelationshipDescription, of entity: Int, _ path: [String],
        _ target: Int
    ) -> String {
        let mark = keyColumns[target] == nil ? "" : "{}"
        let place = ([entities[entity].name] + path.map(Excerpt.escape)).joined(separator: ".") + mark
        let way: String
        switch (link.isToMany, inverse.isToMany) {
        case (false, _): way = "column \(entities[entity].name).\(link.name)"
        case (true, false): way = "column \(entities[target].name).\(inverse.name)"
        case (true, true):
            let sides = ["\(entities[entity].name).\(link.name)", "\(entities[target].name).\(inverse.name)"]
            let first = sides.min { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) } ?? sides[0]
            way = "join table _\(first)"
        }
        var key = entities[target].uniquenessConstraints.first.map { "key \($0.joined(separator: ","))" } ?? "no key"
        if let name = keyColumns[target] { key += ", names in \(name)" }
        return "table \(entities[target].name) of \(place): \(key), \(way)"
    }

    /// A name that the entity does not have for the inverse of a link.
    private func freeName(for owner: String, link: String, in target: Int, excluding: String?) -> String {
        let members = places.filter { $0.entity == target }.flatMap { $0.shape.members.map(\.name) }
        let taken = Set((names(of: target) + members + [excluding].compactMap(\.self)).map { $0.lowercased() })
        let names = [owner, "\(owner)_\(link)", "\(owner)_pk"] + (2...1000).map { "\(owner)_\(link)_\($0)" }
        return names.first { !taken.contains($0.lowercased()) && !ReservedNames.isColumn($0) } ?? owner
    }

    /// Makes a link hold what the records have at another place; throws if it is one of the database and cannot.
    private mutating func check(
        _ known: RelationshipDescription, _ member: MemberShape, _ objects: ObjectShape, _ path: [String],
        of entity: Int
    ) throws {
        if !places.contains(where: { $0.shape === objects }), let target = index(of: known.destination) {
            guard objects.isElements == (keyColumns[target] != nil) else {
                throw conflict(entity, known.name, "it holds objects, and now dictionaries")
            }
            if let name = valueColumns[target], let kinds = objects.valueKinds,
                let column = entities[target].attributes.firstIndex(where: { $0.name == name })
            {
                entities[target].attributes[column].valueKinds.formUnion(kinds)
            }
            let (key, found) = (entities[target].uniquenessConstraints.first, objects.key.map { [$0] })
            if key == nil, let found, known.isToMany, !member.mayBeShared {
                // The rows of the table must allow it.
                entities[target].uniquenessConstraints = [found]
                if !entities[target].attributes.contains(where: { $0.name == found[0] }) {
                    entities[target].attributes.append(.inferred(found[0]))
                }
            } else if key != found {
                let names = [key, found].map { $0?.joined(separator: ",") ?? "none" }
                throw conflict(entity, known.name, "the key of its objects is \(names[0]), and now \(names[1])")
            }
            places.append(Place(shape: objects, entity: target))
        }
        if member.isList, !known.isToMany {
            throw conflict(entity, known.name, "it leads to one object, and now to several")
        }
        guard objects.key != nil, known.isToMany, let target = index(of: known.destination),
            let inverse = entities[target].relationships.firstIndex(where: { $0.name == known.inverse }),
            !entities[target].relationships[inverse].isToMany
        else { return }
        let earlier = line(known, entities[target].relationships[inverse], of: entity, path, target)
        // A link of the database has no line.
        guard lines.contains(earlier) else {
            guard member.isShared else { return }
            throw conflict(entity, known.name, "an object belongs to one record, and now to several")
        }
        guard member.mayBeShared else { return }
        entities[target].relationships[inverse].isToMany = true
        let later = line(known, entities[target].relationships[inverse], of: entity, path, target)
        lines = lines.map { $0 == earlier ? later : $0 }
    }

    private func conflict(_ entity: Int, _ name: String, _ reason: String) -> ImportError {
        let place = entity < knownCount ? "is in the database otherwise" : "has objects that no link can hold"
        return ImportError(
            .route, "\(entities[entity].name).\(name) \(place): \(reason)",
            hint: "import into another database, or without --relations into another table")
    }
}
