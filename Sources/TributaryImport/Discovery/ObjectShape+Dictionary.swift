import TributaryStore
import TributaryJSON
import TributaryModel

/// Which objects are dictionaries: their members are keys, and the values of these are rows.
///
/// That is so if members are more than an object has, if their names look like data, or if they are many of which each
/// object has few; and if all values are objects, or arrays of objects, with mostly the same members, or if all are scalars
/// and their names look like data. A dictionary may also be stated, or known from an earlier import.
extension ObjectShape {
    /// Fewer different members than this are those of an object, unless their names look like data.
    private static let leastKeys = 8

    /// Decides which objects here and inside are dictionaries, once all of them are known.
    func findDictionaries() {
        guard !hasFoundDictionaries else { return }
        hasFoundDictionaries = true
        if values == nil, looksLikeDictionary { takeMembersForKeys() }
        guard let values else { return members.forEach { $0.objects?.findDictionaries() } }
        guard !isDictionary else { return }
        if places.dictionaries[path] == .noDictionary {
            dictionary = "the database has them otherwise"
            return
        }
        let (elements, known) = (values.objects, places.dictionaries[path])
        elements?.findDictionaries()
        let isNested = elements.map { $0.isDictionary || $0.values != nil } ?? false
        let holdsObjects = elements != nil && !values.hasOtherValues && !isNested
        if known == .ofObjects
            || known != .ofValues && holdsObjects && (known != nil || elements?.hasLikeObjects ?? false)
        {
            rows = elements ?? newElements
        } else if known != nil || elements == nil || isNested && !values.hasOtherValues {
            rows = newElements
            rows?.valueKinds = values.kinds.union(values.isList || values.objectCount > 0 ? .text : [])
        } else {
            dictionary =
                values.hasOtherValues
                ? "its many members have objects and other values" : "the objects of its many members are not alike"
        }
    }

    private var newElements: ObjectShape { ObjectShape(name, in: [self] + outer, places, isElements: true) }

    /// Whether a table of the database has the values of the dictionaries.
    var hasTable: Bool { [.ofObjects, .ofValues].contains(places.dictionaries[path]) }

    /// Whether the members of the objects, which are not those of a dictionary yet, look like keys.
    var looksLikeDictionary: Bool {
        guard !outer.isEmpty, !isDictionary, !hasFurtherMembers, members.count > 1, !places.hasPlainKeys,
            places.dictionaries[path] != .noDictionary
        else { return false }
        let areData = members.allSatisfy { ObjectShape.looksLikeData($0.name) }
        if members.allSatisfy({ !$0.hasOtherValues }) {
            let present = members.reduce(0) { $0 + $1.count }
            let isSparse = members.count >= ObjectShape.leastKeys && present * 2 < members.count * count
            guard areData || isSparse else { return false }
            let inner = members.compactMap(\.objects)
            return !inner.isEmpty && ObjectShape.areAlike(inner)
        }
        return areData && members.count > 2 && members.allSatisfy { $0.objectCount == 0 && !$0.isList }
    }

    /// Whether the objects have mostly the same members.
    private var hasLikeObjects: Bool { ObjectShape.areAlike([self]) }

    private static func areAlike(_ shapes: [ObjectShape]) -> Bool {
        // What dictionaries have inside is no member.
        let plain = shapes.filter { $0.values == nil && !$0.isDictionary && !$0.looksLikeDictionary }
        let names = Set(plain.flatMap { $0.members.map(\.name) })
        let present = plain.reduce(0) { $0 + $1.members.reduce(0) { $0 + $1.count } }
        return present * 3 >= names.count * plain.reduce(0) { $0 + $1.count }
    }

    /// Whether a name is rather data than the name of a member: a number, a date, a path, or an identifier that a program
    /// has made.
    static func looksLikeData(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        // Numbers and dates, as in 2026-01-01; words such as 2xx and km/h are names.
        if isDigit(first) {
            return name.utf8.allSatisfy { isDigit($0) || [0x2D, 0x2E, 0x3A, 0x54, 0x5A].contains($0) }
        }
        if first == UInt8(ascii: "-") || first == UInt8(ascii: "/") { return true }
        if name.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 1 { return true }
        return name.utf8.count >= 20 && name.utf8.count(where: isDigit) >= 3 && !name.utf8.contains(UInt8(ascii: "_"))
    }
}

extension SurveyedPlaces {
    /// The places of dictionaries that are stated by their `{}`, and of those of a database.
    static func dictionaries(
        in places: some Sequence<String>, of table: String, _ stored: ModelDescription?
    ) throws -> [String: SurveyedPlaces.Dictionary] {
        var found: [String: SurveyedPlaces.Dictionary] = [:]
        for place in places {
            var end = place.startIndex
            while let mark = place[end...].firstRange(of: "{}") {
                found[String(place[..<mark.lowerBound])] = .stated
                end = mark.upperBound
            }
        }
        guard let stored else { return found }
        var open = [(entity: table, path: table, around: [String]())]
        while let (name, path, around) = open.popLast() {
            guard let entity = stored.entities.first(where: { $0.name == name }), !around.contains(name) else {
                continue
            }
            let mapping = try Mapping(of: entity)
            for attribute in entity.attributes {
                let members = mapping.properties[attribute.name]?.paths.first?.path ?? [attribute.name]
                let place = ([path] + members).joined(separator: ".")
                if found[place] == nil { found[place] = .noDictionary }
            }
            for link in entity.relationships {
                guard let members = mapping.properties[link.name]?.paths.first?.path,
                    let target = stored.entities.first(where: { $0.name == link.destination })
                else { continue }
                let shaping = try Mapping(of: target).shaping
                let place = ([path] + members).joined(separator: ".")
                if shaping?.keyColumn != nil { found[place] = shaping?.valueColumn == nil ? .ofObjects : .ofValues }
                if found[place] == nil { found[place] = .noDictionary }
                open.append((link.destination, place + (shaping?.keyColumn == nil ? "" : "{}"), around + [name]))
            }
        }
        return found
    }
}

extension Mapping {
    /// The mapping in the `userInfo` of an entity of a database.
    init(of entity: EntityDescription) throws {
        self =
            try entity.userInfo[MappingResolver.entry].map {
                try MappingCoding.decode(Mapping.self, Array($0.utf8), from: "the mapping of \(entity.name)")
            } ?? Mapping()
    }
}
