import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite

/// Reads values as drafts of objects; nothing is changed by it.
///
/// The objects of a relation about which a hook is to be asked are read after it has agreed.
struct ObjectReader {
    let plan: ObjectPlan
    /// Whether a value without a key is an error, because a stream reads the same record again; else its object is new.
    private let requiresKey: Bool
    /// The drafts by their depth, outermost first.
    private(set) var levels: [[ObjectDraft]] = []

    init(_ plan: ObjectPlan, requiresKey: Bool) { (self.plan, self.requiresKey) = (plan, requiresKey) }

    /// Reads a value of a record into an object; nil if its key finds the object.
    @discardableResult
    mutating func read(_ json: JSON, _ record: Record, into object: ManagedObject? = nil) throws -> ObjectDraft {
        let draft = try read(json, 0, record, depth: 0, name: nil, hasObject: object != nil)
        draft.object = object
        return draft
    }

    private mutating func add(_ draft: ObjectDraft, depth: Int) {
        while levels.count <= depth { levels.append([]) }
        levels[depth].append(draft)
    }

    private mutating func read(
        _ json: JSON, _ unit: Int, _ record: Record, depth: Int, name: String?, hasObject: Bool = false
    ) throws -> ObjectDraft {
        let draft = ObjectDraft(unit, json, record)
        add(draft, depth: depth)
        let (mapping, hooks) = (plan.units[unit].mapping, plan.units[unit].hooks)
        guard json.kind == .object || mapping.valueColumn != nil else {
            guard depth > 0 || mapping.key.count == 1 else { throw json.mismatch(expected: "an object") }
            draft.isReference = depth > 0
            draft.key = [try mapping.referenceKey(json)]
            draft.values = mapping.attributes.map { _ in .missing }
            draft.relationValues = mapping.relations.map { _ in nil }
            draft.members = (mapping.attributes.map { _ in nil }, mapping.relations.map { _ in nil })
            return draft
        }
        var key: [SQLValue] = []
        for mapped in mapping.attributes {
            // A value of a dictionary has its key beside it.
            if mapped.name == mapping.keyColumn || mapped.name == mapping.valueColumn {
                let key = name.map { ObjectDraft.Value.stored(.text($0)) } ?? .missing
                draft.values.append(
                    mapped.name == mapping.keyColumn ? key : .stored(try mapped.coercion.value(json)))
                if hooks.wanted != nil { draft.members.attributes.append(nil) }
                continue
            }
            var member: ObjectDraft.Member?
            let value = try self.value(mapped, json, hooks) {
                member = try find(mapped.members, in: json, record)
                return member?.value
            }
            draft.values.append(value)
            if hooks.wanted != nil { draft.members.attributes.append(member) }
            guard mapped.isKey else { continue }
            if case .stored(let stored) = value, stored != .null {
                key.append(stored)
            } else if let name, mapping.key.count == 1, case .missing = value {
                key.append(try mapped.coercion.key(name, json))
            } else if !hasObject, !hooks.alwaysMakesNew, hooks.find == nil, requiresKey || member != nil {
                throw MissingKey.error(mapped.name, mapped.paths[0], in: json, record)
            }
        }
        // The values are in the order of the attributes, the key is in its own.
        if !mapping.key.isEmpty, key.count == mapping.key.count {
            let names = mapping.attributes.filter(\.isKey).map(\.name)
            draft.key = mapping.key.compactMap { part in names.firstIndex(of: part.name).map { key[$0] } }
        }
        for (index, relation) in mapping.relations.enumerated() {
            let member = try find(relation.members, in: json, record)
            if hooks.wanted == nil {
                draft.relationValues.append(try read(relation, index, of: draft, member?.value, depth: depth))
            } else {
                draft.relationValues.append(nil)
                draft.members.relations.append(member)
            }
        }
        return draft
    }

    /// Reads the objects of a relation about which a hook was asked.
    mutating func readRelation(_ index: Int, of draft: ObjectDraft, depth: Int) throws {
        let relation = plan.units[draft.unit].mapping.relations[index]
        draft.relationValues[index] = try read(
            relation, index, of: draft, draft.members.relations[index]?.value, depth: depth)
    }

    // MARK: Attributes

    private func value(
        _ mapped: MappedAttribute, _ object: JSON, _ hooks: ImportHooks, _ find: () throws -> JSON?
    ) throws -> ObjectDraft.Value {
        do {
            guard let value = try find(), value.kind != .null || mapped.policy != .keepNull else { return .missing }
            if value.kind != .null, let converted = try hooks.convert?(value, mapped.name) {
                return .converted(converted)
            }
            let stored = try mapped.coercion.value(value)
            guard stored == .null, !mapped.attribute.isOptional else { return .stored(stored) }
            guard let other = mapped.coercion.valueForNull else {
                throw object.failure(.validateRequired, "\(mapped.name) is required and cannot be null")
            }
            return .stored(other)
        } catch let error as JSONError where mapped.isKey {
            throw error.recoded(.keyType)
        } catch {
            if mapped.mismatch != .reject, let error = error as? JSONError, error.code != .validateRequired {
                return mapped.mismatch == .null && mapped.attribute.isOptional ? .stored(.null) : .missing
            }
            guard hooks.wanted != nil else { throw error }
            return .unfit(error)
        }
    }

    /// The first member that has a value, null included; nil if there is none.
    private func find(
        _ members: MemberNames.Members, in object: JSON, _ record: Record
    ) throws -> ObjectDraft.Member? {
        for path in members.sources {
            let value = path.reduce(object) { $0[$1] }
            if let failure = record.failure {
                record.clearFailure()
                throw failure
            }
            if !value.isMissing { return ObjectDraft.Member(path: path, value: value) }
        }
        return nil
    }

    // MARK: Relations

    private mutating func read(
        _ relation: MappedRelation, _ index: Int, of draft: ObjectDraft, _ value: JSON?, depth: Int
    ) throws -> [ObjectDraft]? {
        guard let value else { return nil }
        if value.isNull { return relation.policy == .keepNull ? nil : [] }
        let target = plan.units[draft.unit].targets[index]
        let mapping = plan.units[target].mapping
        if relation.mismatch != .reject, relation.isUnfit(value, for: mapping) {
            return relation.mismatch == .null ? [] : nil
        }
        var drafts: [ObjectDraft] = []
        try relation.forEachObject(in: value, of: mapping) { element, name in
            let other = try read(element, target, draft.record, depth: depth + 1, name: name)
            other.dangling = relation.dangling
            drafts.append(other)
        }
        return drafts
    }
}
