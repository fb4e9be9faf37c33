import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Random edits of the workshop model, and snapshots of everything that a context shows.
final class UndoWorld {
    /// The values of all live objects, by numbers that belong to the instances.
    struct Snapshot {
        enum Value: Equatable {
            case attribute(FilterValue)
            case objects([Int])
        }
        var objects: [Int: (entity: Entity, values: [Value])] = [:]

        /// What differs from `other`, for messages.
        func differences(from other: Snapshot) -> [String] {
            Set(objects.keys).union(other.objects.keys).sorted().flatMap { number -> [String] in
                guard let here = objects[number], let there = other.objects[number] else {
                    return ["\(number) is \(objects[number] == nil ? "missing" : "not expected")"]
                }
                return zip(here.entity.properties, zip(here.values, there.values)).filter { $1.0 != $1.1 }.map {
                    "\(number).\($0.name): \($1.0) is not \($1.1)"
                }
            }
        }
    }

    let context: ManagedObjectContext
    var random: SeededGenerator
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var instances: [ManagedObject] = []
    private var permanentIDs: [Int: ObjectID] = [:]
    private var nextCode: Int64 = 0
    private(set) var editCount = 0
    /// A keeper that is never deleted, so that each group has an edit.
    private let anchor: Keeper

    static let classes = ["Piece", "Keeper", "Label"]

    /// Whether references without a maintained inverse are made, which dangle after deletions.
    private let hasDanglingReferences: Bool

    init(_ context: ManagedObjectContext, _ random: SeededGenerator, hasDanglingReferences: Bool = true) {
        self.hasDanglingReferences = hasDanglingReferences
        self.context = context
        self.random = random
        anchor = context.insert(Keeper.self)
        anchor.code = -1
        _ = number(anchor)
    }

    private func number(_ object: ManagedObject) -> Int {
        if let number = numbers[ObjectIdentifier(object)] { return number }
        numbers[ObjectIdentifier(object)] = instances.count
        instances.append(object)
        return instances.count - 1
    }

    func live() throws -> [ManagedObject] {
        try Self.classes.flatMap { try context.fetch(FetchRequest<ManagedObject>(entity: $0)) }
    }

    /// The current state; also checks that objects keep their permanent IDs.
    func snapshot() throws -> Snapshot {
        var snapshot = Snapshot()
        for object in try live() {
            let number = number(object)
            snapshot.objects[number] = (object.entity, values(of: object))
            let id = object.objectID
            #expect(context.registeredObject(for: id) === object)
            if let known = permanentIDs[number] { #expect(known == id) }
            if !id.isTemporary { permanentIDs[number] = id }
        }
        return snapshot
    }

    private func values(of object: ManagedObject) -> [Snapshot.Value] {
        object.entity.properties.map { property in
            guard let relationship = property.relationship else { return .attribute(object[property.name]) }
            let list = Self.destinations(of: object, relationship).filter { !$0.isDeleted }.map { number($0) }
            return .objects(relationship.isOrdered ? list : list.sorted())
        }
    }

    /// What a context shows of all objects, each property as a line with IDs.
    static func lines(of context: ManagedObjectContext) throws -> Set<String> {
        var lines: Set<String> = []
        for object in try classes.flatMap({ try context.fetch(FetchRequest<ManagedObject>(entity: $0)) }) {
            for attribute in object.entity.attributes {
                lines.insert("\(object.objectID).\(attribute.name) = \(object[attribute.name] as FilterValue)")
            }
            for relationship in object.entity.relationships {
                let ids = destinations(of: object, relationship).map { "\($0.objectID)" }
                lines.insert(
                    "\(object.objectID).\(relationship.name) = \(relationship.isOrdered ? ids : ids.sorted())")
            }
        }
        return lines
    }

    private static func destinations(of object: ManagedObject, _ relationship: RelationshipProperty) -> [ManagedObject]
    {
        let name = relationship.name
        return relationship.isToMany ? object.objects(forKey: name) : object.object(forKey: name).map { [$0] } ?? []
    }

    /// Makes random edits, of which the first one always has an effect.
    func edit(atMost count: Int) throws {
        nextCode += 1
        anchor.number = Int(nextCode)
        editCount += 1
        for index in 0...random.below(count) {
            // A fetch processes the changes so far.
            if index > 0, random.once(in: 6) { _ = try live() }
            try edit()
        }
    }

    private func edit() throws {
        editCount += 1
        let live = instances.filter { $0.context != nil && !$0.isDeleted }
        let object = random.pick(live)
        switch random.below(20) {
        case 0..<3 where live.count < 30:
            nextCode += 1
            let new = try context.insert(entity: random.pick(["Piece", "FinePiece", "Keeper", "Label"]))
            new["code"] = .integer(nextCode)
            _ = number(new)
        case 3, 4:
            guard live.count > 12, object !== anchor else { return }
            delete(object)
        case 5..<10: setAttribute(object)
        default: setRelationship(object, live)
        }
    }

    private func delete(_ object: ManagedObject) {
        var keepers = [object as? Keeper].compactMap(\.self)
        var seen = Set(keepers)
        while let keeper = keepers.popLast() {
            if keeper === anchor { return }
            keeper.ward = []
            for below in keeper.below where seen.insert(below).inserted { keepers.append(below) }
        }
        object.delete()
        // Keepers that a cascade deletes must not be denied their deletion by later edits.
        if !seen.isEmpty { context.processPendingChanges() }
    }

    private func setAttribute(_ object: ManagedObject) {
        nextCode += 1
        if let piece = object as? Piece {
            switch random.below(8) {
            case 0: piece.name = random.once(in: 3) ? nil : "name \(nextCode)"
            case 1: piece.real = Double(nextCode) / 4
            case 2: piece.amount = random.once(in: 3) ? nil : Decimal(nextCode) / 100
            case 3: piece.flag.toggle()
            case 4: piece.date = Date(timeIntervalSince1970: Double(nextCode))
            case 5: piece.blob = random.once(in: 3) ? nil : Data("\(nextCode)".utf8)
            case 6: piece.uuid = UUID()
            default: piece.code = Int(nextCode)
            }
        } else {
            object["name"] = random.once(in: 4) ? .null : .string("name \(nextCode)")
        }
    }

    private func setRelationship(_ object: ManagedObject, _ live: [ManagedObject]) {
        let relationship = random.pick(
            object.entity.relationships.filter { relationship in
                hasDanglingReferences
                    || relationship.deleteRule != .noAction
                        && relationship.inverse.map { $0.deleteRule != .noAction } ?? false
            })
        let fitting = live.filter { $0.entity.isKind(of: relationship.destination) }
        guard relationship.isToMany else {
            object.setObject(
                random.once(in: 4) || fitting.isEmpty ? nil : random.pick(fitting), forKey: relationship.name)
            return
        }
        var list = object.objects(forKey: relationship.name)
        switch random.below(4) {
        case 0: list.shuffle(using: &random)
        case 1 where !list.isEmpty: list.remove(at: random.below(list.count))
        default: if !fitting.isEmpty { list.insert(random.pick(fitting), at: random.below(list.count + 1)) }
        }
        object.setObjects(list, forKey: relationship.name)
    }
}
