import TributaryStore
import TributaryJSON

/// The values of one member of the objects at a place.
final class MemberShape {
    let name: String
    /// A number that members of other names, or of objects of other names, do not have.
    private let salt: UInt64
    /// How likely its name is that of a key, 0 for the likeliest; nil for other names.
    let idRank: Int?
    /// The number of values, null included.
    @exclusivity(unchecked) private(set) var count = 0
    /// The kinds of values that are not objects, arrays included.
    @exclusivity(unchecked) private(set) var kinds: ValueKinds = []
    /// The number of values that are neither null nor a container.
    @exclusivity(unchecked) private(set) var scalarCount = 0
    @exclusivity(unchecked) private(set) var hasBooleans = false
    /// Whether there is a number of so many digits that it cannot be a key.
    @exclusivity(unchecked) private(set) var hasEndlessNumbers = false
    /// The number of objects, also those in arrays.
    @exclusivity(unchecked) private(set) var objectCount = 0
    /// The shape of its objects; nil if it has none, or they are those of a dictionary.
    @exclusivity(unchecked) private(set) var objects: ObjectShape?
    /// Whether it has arrays.
    @exclusivity(unchecked) private(set) var isList = false
    /// Whether an array holds an object.
    @exclusivity(unchecked) private(set) var hasListedObjects = false
    /// Whether an array holds an array.
    @exclusivity(unchecked) private(set) var hasNestedLists = false
    @exclusivity(unchecked) private var isSeenTwice = false
    /// The members of its objects by which two of them may be the same, as a profile tells.
    private var sharedKeys: Set<String> = []
    /// Whether two values were possibly the same object.
    var isShared: Bool { isSeenTwice || objects?.key.map(sharedKeys.contains) ?? false }
    /// Whether all values are whole numbers, or all are texts.
    var hasPlainKind: Bool { kinds == .text || kinds.isSubset(of: [.integer, .largeInteger]) }
    /// The kinds of the values in arrays that are neither null nor a container.
    @exclusivity(unchecked) private(set) var listedKinds: ValueKinds = []
    @exclusivity(unchecked) private var isClosed = false
    /// The attribute that its values fit, if a profile has found them.
    private(set) var attribute: FoundAttribute?

    init(_ name: String, salt: UInt64, idRank: Int?) {
        (self.name, self.salt, self.idRank) = (name, salt, idRank)
    }

    /// Adds the value at a place.
    @inline(__always)
    func add(_ members: RawMembers, _ place: Int, in owner: ObjectShape, _ isKnown: (UInt64) -> Bool) {
        count += 1
        switch members.raw(place) {
        case .missing, .null, .obstacle: return
        case .boolean:
            kinds.formUnion(.integer)
            hasBooleans = true
            scalarCount += 1
        case .number(let text):
            let kind = InferredNumber.kind(of: text)
            kinds.formUnion(kind)
            if kind == .text, !NumberScan(text).form.isDisjoint(with: NumberForms.noKeys) {
                hasEndlessNumbers = true
            }
            scalarCount += 1
        case .text, .escapedText:
            kinds.formUnion(.text)
            scalarCount += 1
        case .container: add(members.value(place), in: owner, isKnown)
        }
    }

    private func add(_ value: JSON, in owner: ObjectShape, _ isKnown: (UInt64) -> Bool) {
        if let plain = owner.plain(value) {
            kinds.formUnion(plain.kind)
            if plain != .null { scalarCount += 1 }
            return
        }
        guard value.kind == .array else { return add(object: value, in: owner, isKnown) }
        isList = true
        for element in value.elements {
            if let plain = owner.plain(element) {
                listedKinds.formUnion(plain.kind)
                continue
            }
            switch element.kind {
            case .object:
                hasListedObjects = true
                add(object: element, in: owner, isKnown)
            case .array: hasNestedLists = true
            case .string: listedKinds.formUnion(.text)
            case .number:
                let kind = InferredNumber.stored(element).1
                listedKinds.formUnion(kind)
                if kind == .text, NumberScan.isNoKey(element.compactText) { hasEndlessNumbers = true }
            case .boolean: hasBooleans = true
            default: continue
            }
        }
    }

    /// Adds the values that a profile has found at a path.
    func add(
        _ profile: PathProfile, at path: [PathProfile.Step], in owner: ObjectShape, _ found: DumpProfile
    ) {
        count += profile.count
        attribute = FoundAttribute(profile).map { $0.joined(attribute) } ?? attribute
        kinds.formUnion(profile.scalarKinds)
        if !profile.forms.isDisjoint(with: NumberForms.noKeys) { hasEndlessNumbers = true }
        scalarCount += profile.scalarCount
        if profile.hasBooleans {
            kinds.formUnion(.integer)
            hasBooleans = true
        }
        add(objectsOf: profile, at: path, in: owner, found)
        guard profile[.array].count > 0 else { return }
        isList = true
        guard let elements = profile.children.first(where: { $0.step == .elements }) else { return }
        if elements[.object].count > 0 { hasListedObjects = true }
        if elements[.array].count > 0 { hasNestedLists = true }
        if elements.hasBooleans { hasBooleans = true }
        listedKinds.formUnion(elements.scalarKinds)
        if !elements.forms.isDisjoint(with: NumberForms.noKeys) { hasEndlessNumbers = true }
        add(objectsOf: elements, at: path + [.elements], in: owner, found)
    }

    private func add(
        objectsOf profile: PathProfile, at path: [PathProfile.Step], in owner: ObjectShape, _ found: DumpProfile
    ) {
        guard profile[.object].count > 0 else { return }
        objectCount += profile[.object].count
        guard !isClosed else { return }
        if objects == nil {
            objects = owner.shape(inside: self)
            isClosed = objects == nil
        }
        guard let objects else { return }
        objects.add(profile, at: path, found)
        sharedKeys.formUnion(objects.sharedKeys(path, found))
    }

    /// Whether an object may be in several arrays: one was possibly there twice, or bare keys, which are not compared,
    /// name some.
    var mayBeShared: Bool {
        isShared || scalarCount > 0 || !listedKinds.isEmpty || objects?.isInDictionary ?? false
    }

    /// Whether there are values that are neither null, objects, nor arrays of objects.
    var hasOtherValues: Bool { scalarCount > 0 || !listedKinds.isEmpty || hasNestedLists || hasBooleans }

    /// Adds what another member has.
    func merge(_ other: MemberShape, in owner: ObjectShape, _ merged: inout Set<ObjectShape.Merging>) {
        count += other.count
        kinds.formUnion(other.kinds)
        scalarCount += other.scalarCount
        objectCount += other.objectCount
        listedKinds.formUnion(other.listedKinds)
        sharedKeys.formUnion(other.sharedKeys)
        if other.hasBooleans { hasBooleans = true }
        if other.hasEndlessNumbers { hasEndlessNumbers = true }
        if other.isList { isList = true }
        if other.hasListedObjects { hasListedObjects = true }
        if other.hasNestedLists { hasNestedLists = true }
        if other.isSeenTwice { isSeenTwice = true }
        attribute = other.attribute.map { $0.joined(attribute) } ?? attribute
        if other.isClosed { forgetObjects() }
        guard let inner = other.objects, !isClosed else { return }
        if objects == nil { objects = owner.shape(inside: self) }
        isClosed = objects == nil
        if let objects, objects !== inner { objects.merge(inner, &merged) }
    }

    private func add(object: JSON, in owner: ObjectShape, _ isKnown: (UInt64) -> Bool) {
        objectCount += 1
        guard !isClosed else { return }
        if objects == nil {
            objects = owner.shape(inside: self)
            isClosed = objects == nil
        }
        guard let objects, let hash = objects.add(object, isKnown) else { return }
        // The same object in another member is another link.
        if isKnown(hash ^ salt) { isSeenTwice = true }
    }

    /// Takes its objects for JSON.
    func forgetObjects() {
        objects = nil
        isClosed = true
    }
}
