import TributaryGraph
import TributaryJSON

import Tributary

// The classes of the tests of DKDBManager: planes with passengers with baggage.

final class CRUDPlane: ManagedObject {
    @Attribute var origin: String?
    @Attribute var destination: String?
    @Relationship(inverse: \CRUDPassenger.plane) var passengers: ToMany<CRUDPassenger>

    override static var defaultSort: [SortKey] { [SortKey("origin")] }
}

final class CRUDPassenger: ManagedObject {
    @Attribute var name: String?
    @Attribute var age: Double?
    @Relationship var plane: CRUDPlane?
    @Relationship(inverse: \CRUDBaggage.passenger) var baggages: ToMany<CRUDBaggage>
}

final class CRUDBaggage: ManagedObject {
    @Attribute var weight: Int?
    @Relationship var passenger: CRUDPassenger?
}

extension CRUDPlane: CRUDObject {
    static var crudChildren: [CRUDChild] { [CRUDChild("passengers")] }

    static func primaryFilter(for input: CRUDInput) -> Filter? {
        guard let from: String = input["origin"], let to: String = input["destination"] else { return .never }
        return "origin ==[c] \(from) AND destination ==[c] \(to)"
    }

    func update(with input: CRUDInput) { (origin, destination) = (input["origin"], input["destination"]) }

    func shouldUpdate(with input: CRUDInput) throws -> Bool {
        try input.inputs("passengers").map { $0.count != passengers.count } ?? false
    }

    var invalidReason: String? {
        guard let origin, !origin.isEmpty else { return "no origin" }
        guard let destination, !destination.isEmpty else { return "no destination" }
        return origin == destination ? "it stays where it is" : nil
    }
}

extension CRUDPassenger: CRUDObject {
    static var crudChildren: [CRUDChild] { [CRUDChild("baggages")] }

    static func primaryFilter(for input: CRUDInput) -> Filter? {
        guard let name: String = input["name"], let age: Double = input["age"] else { return .never }
        return "name ==[c] \(name) AND age ==[c] \(age)"
    }

    func update(with input: CRUDInput) { (name, age) = (input["name"], input["age"]) }
    var invalidReason: String? { name?.isEmpty ?? true ? "no name" : age ?? 0 > 0 ? nil : "no age" }
}

extension CRUDBaggage: CRUDObject {
    func update(with input: CRUDInput) { weight = input["weight"] }
    var invalidReason: String? { weight ?? 0 > 0 ? nil : "no weight" }
}
