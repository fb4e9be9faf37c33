import TributaryStore
import TributaryJSON

/// What the objects at one place of the records have in common: their members, with the kinds of their values.
final class ObjectShape {
    /// The name of the member that holds the objects; of records the name of their table.
    let name: String
    /// The place of the objects: the table of the records, and the members that lead to them from there.
    let path: String
    /// The objects around them, from the inside.
    let outer: [ObjectShape]
    let places: SurveyedPlaces
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private(set) var members: [MemberShape] = []
    @exclusivity(unchecked) private var indexes: [String: Int] = [:]
    /// The members by their place in the previous object, with their bytes in the source.
    @exclusivity(unchecked) private var order: [(key: [UInt8], member: MemberShape)] = []
    /// Whether its members are the keys of a dictionary without rows, and not those of an object.
    var isDictionary: Bool { dictionary != nil }
    /// Why the objects are dictionaries without rows; nil if they are none, or have rows.
    @exclusivity(unchecked) var dictionary: String?
    /// All values of the dictionaries that these objects are; nil if their members are not keys.
    @exclusivity(unchecked) private(set) var values: MemberShape?
    /// The rows of the dictionaries; nil if the objects are none.
    @exclusivity(unchecked) var rows: ObjectShape?
    /// For rows of a dictionary that keep its values as they are: the kinds of these.
    @exclusivity(unchecked) var valueKinds: ValueKinds?
    /// Whether the objects are the values of a dictionary.
    let isElements: Bool
    /// Whether the objects are inside of a dictionary, so that those with an id may be in several of its values.
    let isInDictionary: Bool
    /// Whether it has more members than an object has, and becomes a dictionary after the current one of them.
    @exclusivity(unchecked) private var isOverfull = false
    /// The number of objects of this place that are being added: one may be inside of another.
    @exclusivity(unchecked) private var depth = 0
    /// Whether it was decided which objects are dictionaries.
    @exclusivity(unchecked) var hasFoundDictionaries = false
    /// Whether records have members that are not among `members`: too many, or with names too long for a column.
    @exclusivity(unchecked) private(set) var hasFurtherMembers = false

    /// More members with objects than this are the keys of a dictionary.
    private static let maximumObjects = 60
    /// More members than this are the keys of a dictionary, since a table cannot have so many columns.
    private static let maximumMembers = InferredColumns.maximumCount

    /// A number for the name: objects of one name may share a table, and then the links of their members.
    private let salt: UInt64

    init(
        _ name: String, in outer: [ObjectShape] = [], _ places: SurveyedPlaces = SurveyedPlaces(),
        isElements: Bool = false
    ) {
        (self.name, self.outer, self.places, self.isElements) = (name, outer, places, isElements)
        isInDictionary = isElements || outer.first?.isInDictionary ?? false
        let around = outer.first.map(\.path) ?? ""
        path = outer.isEmpty ? name : isElements ? "\(around){}" : "\(around).\(name)"
        salt = ObjectShape.hash(name.lowercased())
        // The values of a dictionary are known by their keys, unless another one is stated.
        idNames = places.keys[path].map { [$0] } ?? (isElements ? [] : JSON.idNames)
        if let known = places.dictionaries[path], known != .noDictionary {
            values = MemberShape(name, salt: salt, idRank: nil)
        }
    }

    /// The names of members that identify these objects: the stated one, or the usual ones.
    private let idNames: [String]

    /// Whether the member that identifies the objects is stated.
    var hasStatedKey: Bool { places.keys[path] != nil }

    /// The member that identifies most of the objects, and the number of those that it does not; nil if there is none.
    var incompleteKey: (name: String, missing: Int)? {
        guard key == nil, !isDictionary else { return nil }
        for name in idNames {
            let found = indexes[name].map { members[$0].scalarCount } ?? 0
            guard hasStatedKey || found > 0 && found * 2 >= count else { continue }
            return (name, count - found)
        }
        return nil
    }

    /// The member that identifies each of the objects; nil if there is none.
    var key: String? {
        idNames.first { name in
            guard let member = indexes[name].map({ members[$0] }) else { return false }
            return member.scalarCount == count && member.objectCount == 0 && !member.hasBooleans
                && !member.hasEndlessNumbers && (!places.hasPlainKeys || member.hasPlainKind)
        }
    }

    /// Whether the values of a key are of one kind, so that an attribute of a model can be the key.
    func allows(_ key: ImportKey) -> Bool {
        key.parts.allSatisfy { part in
            guard let member = indexes[part.attribute].map({ members[$0] }) else { return true }
            return member.hasPlainKind && !member.hasEndlessNumbers
        }
    }

    /// Adds an object; returns the hash of its likeliest key, of which `isKnown` tells whether it may have come before.
    func add(_ object: JSON, _ isKnown: (UInt64) -> Bool) -> UInt64? {
        count += 1
        // The columns of records are needed all the same.
        if isDictionary, !outer.isEmpty { return nil }
        depth += 1
        defer { depth -= 1 }
        var members = RawMembers(object)
        var position = 0
        var id: (rank: Int, hash: UInt64)?
        while let found = members.next() {
            defer { position += 1 }
            if let values {
                values.add(members, found.place, in: self, isKnown)
                continue
            }
            guard let member = member(found, position, members) else { continue }
            member.add(members, found.place, in: self, isKnown)
            if isOverfull, depth == 1 { takeMembersForKeys() }
            guard let rank = member.idRank, rank < id?.rank ?? Int.max else { continue }
            id = hash(members, found.place).map { (rank, $0) } ?? id
        }
        return id?.hash
    }

    /// Adds the objects that a profile has found at a path.
    func add(_ profile: PathProfile, at path: [PathProfile.Step], _ found: DumpProfile) {
        count += profile[.object].count
        if profile.isDictionary, !outer.isEmpty, !places.hasPlainKeys {
            if values == nil { takeMembersForKeys() }
        } else if profile.isDictionary {
            let isLong = profile.keys.map { $0.different.estimate > ObjectShape.maximumMembers } ?? false
            beDictionary(
                because: isLong
                    ? "its objects have more than \(ObjectShape.maximumMembers) different members"
                    : "more than \(ObjectShape.maximumObjects) of its members have objects")
        }
        guard !isDictionary || outer.isEmpty else { return }
        for child in profile.children {
            if let values, child.count > 0 {
                values.add(child, at: path + [child.step], in: self, found)
                continue
            }
            guard case .member(let name) = child.step, child.count > 0,
                let member = indexes[name].map({ members[$0] }) ?? add(name)
            else { continue }
            guard member.name.hasBytes(of: name) else {
                hasFurtherMembers = true
                continue
            }
            member.add(child, at: path + [child.step], in: self, found)
        }
    }

    /// The names of members by which objects that a profile has found at a path may be the same object more than once.
    func sharedKeys(_ path: [PathProfile.Step], _ found: DumpProfile) -> [String] {
        // Objects inside of records with the name of their table may be in the same links as those of the records.
        let hasNameOfRecords = outer.first.map {
            !$0.outer.isEmpty && $0.name.lowercased() == outer.last?.name.lowercased()
        }
        return idNames.filter { name in
            hasNameOfRecords ?? false || found.keys.first { $0.path == path + [.member(name)] }?.isShared ?? true
        }
    }

    @inline(__always)
    private func member(_ found: RawMembers.Member, _ position: Int, _ members: RawMembers) -> MemberShape? {
        if position < order.count, order[position].key.elementsEqual(found.key) { return order[position].member }
        return newMember(found, position, members)
    }

    private func newMember(_ found: RawMembers.Member, _ position: Int, _ members: RawMembers) -> MemberShape? {
        let name = members.name(found)
        let member: MemberShape
        if let index = indexes[name] {
            member = self.members[index]
        } else {
            guard let added = add(name) else { return nil }
            member = added
        }
        if position < order.count {
            order[position] = (Array(found.key), member)
        } else if position == order.count {
            order.append((Array(found.key), member))
        }
        return member
    }

    /// Adds a member; nil if there is no room for it.
    private func add(_ name: String) -> MemberShape? {
        let isFull = members.count >= ObjectShape.maximumMembers
        if isFull, !outer.isEmpty {
            if places.hasPlainKeys {
                beDictionary(because: "its objects have more than \(ObjectShape.maximumMembers) different members")
            } else {
                isOverfull = true
            }
        }
        if places.room == 0, !outer.isEmpty {
            beDictionary(
                because: "all objects together have more than \(SurveyedPlaces.maximumMembers) different members")
        }
        guard !isFull || isOverfull, places.room > 0, outer.isEmpty || !isDictionary,
            name.utf8.count <= InferredColumns.maximumNameBytes
        else {
            hasFurtherMembers = true
            return nil
        }
        places.room -= 1
        let member = MemberShape(
            name, salt: ObjectShape.mix(salt &+ ObjectShape.hash(name.lowercased())),
            idRank: idNames.firstIndex(of: name))
        indexes[name] = members.count
        members.append(member)
        return member
    }

    /// Takes the members for keys, and what they hold for the values of dictionaries.
    func takeMembersForKeys() {
        let values = MemberShape(name, salt: salt, idRank: nil)
        let all = members
        (self.values, isOverfull) = (values, false)
        places.room += members.count
        (members, indexes, order) = ([], [:], [])
        var merged: Set<Merging> = []
        for member in all { values.merge(member, in: self, &merged) }
        for objects in all.compactMap(\.objects) where objects.outer.first === self { objects.forgetMembers() }
    }

    /// Two shapes of which one is added to the other.
    struct Merging: Hashable {
        let from, into: ObjectIdentifier
    }

    /// Adds what is known about the objects at another place.
    func merge(_ other: ObjectShape, _ merged: inout Set<Merging>) {
        guard merged.insert(Merging(from: ObjectIdentifier(other), into: ObjectIdentifier(self))).inserted else {
            return
        }
        count += other.count
        if other.hasFurtherMembers { hasFurtherMembers = true }
        if let reason = other.dictionary { beDictionary(because: reason) }
        guard !isDictionary else { return }
        if other.values != nil || other.isOverfull, values == nil { takeMembersForKeys() }
        for member in other.values.map({ [$0] }) ?? other.members {
            if values == nil, isOverfull { takeMembersForKeys() }
            guard let own = values ?? indexes[member.name].map({ members[$0] }) ?? add(member.name) else { continue }
            own.merge(member, in: self, &merged)
        }
    }

    /// Takes its members for the keys of a dictionary, and forgets what they hold.
    private func beDictionary(because reason: String) {
        if dictionary == nil { dictionary = reason }
        for member in members + [values].compactMap(\.self) {
            if let objects = member.objects, objects.outer.first === self { objects.forgetMembers() }
            member.forgetObjects()
        }
        if !outer.isEmpty { forgetMembers() }
    }

    private func forgetMembers() {
        for objects in members.compactMap(\.objects) where objects.outer.first === self { objects.forgetMembers() }
        places.room += members.count
        (members, indexes, order) = ([], [:], [])
    }

    /// The shape of the objects of a member; that of an outer one of the same name, as in a tree.
    func shape(inside member: MemberShape) -> ObjectShape? {
        if isDictionary { return nil }
        if member === values { return ObjectShape(name, in: [self] + outer, places, isElements: true) }
        let known = ([self] + outer).first { $0.name == member.name && !$0.outer.isEmpty && !$0.isElements }
        if let known { return known }
        if !isOverfull, members.count(where: { $0.objects != nil }) >= ObjectShape.maximumObjects {
            guard !outer.isEmpty, !places.hasPlainKeys else {
                beDictionary(because: "more than \(ObjectShape.maximumObjects) of its members have objects")
                return nil
            }
            isOverfull = true
        }
        return ObjectShape(member.name, in: [self] + outer, places)
    }

    /// Whether objects inside of these may have rows: all of them, or those with an id.
    func holdsObjects(all: Bool) -> Bool {
        members.contains { member in
            guard let objects = member.objects, !objects.isDictionary else { return false }
            if objects.values != nil || objects.looksLikeDictionary { return true }
            if all || objects.key != nil { return true }
            return objects !== self && !outer.contains { $0 === objects } && objects.holdsObjects(all: all)
        }
    }

    /// The plain value of a typed one of Extended JSON; nil if it is none, or these are objects.
    func plain(_ value: JSON) -> ExtendedJSON.Plain? {
        places.unwrapsExtendedJSON ? ExtendedJSON.plain(value) : nil
    }

    /// A hash of a value that may be a key; equal values have equal hashes.
    private func hash(_ members: RawMembers, _ place: Int) -> UInt64? {
        switch members.raw(place) {
        case .number(let text):
            return ObjectShape.hash(RawValue.integer(text)) ?? ObjectShape.hash(RawValue.double(text) ?? 0)
        case .text(let text): return ObjectShape.hash(UnsafeRawBufferPointer(text))
        case .escapedText:
            return (try? String(json: members.value(place))).map { ObjectShape.hash($0) }
        case .container:
            switch plain(members.value(place)) {
            case .text(let text): return ObjectShape.hash(text)
            case .integer(let number): return ObjectShape.hash(number)
            case .real(let number): return ObjectShape.hash(number)
            case .null, nil: return nil
            }
        default: return nil
        }
    }

    private static func hash(_ number: Int64?) -> UInt64? { number.map { mix(UInt64(bitPattern: $0)) } }

    private static func hash(_ number: Double) -> UInt64 {
        mix(Int64(exactly: number).map { UInt64(bitPattern: $0) } ?? number.bitPattern)
    }

    private static func hash(_ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes { hash($0) } }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        mix(bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var bits = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return bits ^ bits >> 33
    }
}
