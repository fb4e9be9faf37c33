import Testing
import TributaryGraph
import TributaryJSON

import Tributary

/// The cases of DKDBManager's own tests: creating, updating, deleting, removing what is deprecated, validity.
@Suite("Cases of DKDBManager") struct PlaneCasesTests {
    private let manager: ContextManager

    init() throws {
        manager = try ContextManager(
            model: Model(CRUDPlane.self, CRUDPassenger.self, CRUDBaggage.self), store: .memory)
    }

    /// Five planes, of which the last has no destination, with five passengers each, of whom the nth has n baggages, the
    /// first of them without weight.
    private static func planes(_ numbers: Range<Int> = 0..<5) -> String {
        let cities = ["Paris", "London", "Berlin", "Madrid", "Toronto", ""]
        let planes = numbers.map { plane in
            let passengers = (0..<5).map { number in
                let baggages = (0..<number).map { #"{"weight":\#([0, 20, 13, 14][$0])}"# }.joined(separator: ",")
                // One passenger has no name.
                let name = plane == 3 && number == 3 ? "" : "p\(plane * 5 + number)"
                return #"{"name":"\#(name)","age":\#(20 + number),"baggages":[\#(baggages)]}"#
            }
            return #"{"origin":"\#(cities[plane])","destination":"\#(cities[plane + 1])","passengers":["#
                + passengers.joined(separator: ",") + "]}"
        }
        return "[\(planes.joined(separator: ","))]"
    }

    @discardableResult
    private func work<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result { try manager.writeAndWait { try body($0) } }

    private func counts() throws -> [Int] {
        try work { context throws in
            try [CRUDPlane.count(in: context), CRUDPassenger.count(in: context), CRUDBaggage.count(in: context)]
        }
    }

    private func create(_ numbers: Range<Int> = 0..<5) throws {
        _ = try work { try $0.crud(CRUDPlane.self, json: Self.planes(numbers)).count }
    }

    @Test("Dictionaries become objects with their children; invalid ones are deleted with theirs")
    func creation() throws {
        try create()
        // Each plane has six baggages with weight, of which two belong to the passenger without a name.
        #expect(try counts() == [4, 19, 22])
        let baggage = try work { try $0.crud(CRUDBaggage.self, with: CRUDInput(json: #"{"weight":254}"#))?.weight }
        #expect(baggage == 254)
        let later = try work { context throws in
            // A baggage without weight is invalid, so it is deleted before values can be set.
            try context.crud(CRUDBaggage.self) == nil
        }
        #expect(try later && counts() == [4, 19, 23])
    }

    @Test("The same dictionary again keeps its object; another value is saved by hand")
    func updating() throws {
        try create()
        try work { context throws in
            let known = try CRUDPlane.first(in: context, where: "origin ==[c] \("PARIS")")
            try context.crud(CRUDPlane.self, json: Self.planes(0..<1)) { plane, state in
                #expect(plane === known && state == .unchanged)
            }
            known?.destination = "Rome"
        }
        #expect(try work { try CRUDPlane.first(in: $0, where: "destination == \("Rome")")?.origin } == "Paris")
    }

    @Test("A round removes the planes, passengers and baggages that it did not see")
    func deprecated() throws {
        try create()
        let before = try counts()
        try work { context throws in
            try context.crud(CRUDPlane.self, json: Self.planes(2..<5))
            try context.removeDeprecated()
        }
        // The passengers of a plane go with it.
        let after = [before[0] - 2, before[1] - 10, before[2] - 12]
        #expect(try counts() == after)
        // A plane with a passenger less than its dictionary is updated, and its passengers get new baggages.
        try create()
        #expect(try counts() == [before[0], before[1], before[2] + 4])
        try work { context throws in
            try context.crud(CRUDPlane.self, json: Self.planes(2..<5))
            try context.removeDeprecated(of: CRUDBaggage.self)
        }
        #expect(try counts() == [before[0], before[1], after[2]])
    }

    @Test("Deleting planes deletes what they carry, and deleting baggages nothing else")
    func deletions() throws {
        try create()
        try work { context in for baggage in try CRUDBaggage.all(in: context) { baggage.delete(reason: "lost") } }
        #expect(try counts() == [4, 19, 0])
        try work { context in for plane in try CRUDPlane.all(in: context) { plane.delete(reason: "sold") } }
        #expect(try counts() == [0, 0, 0])
        try create()
        #expect(try work { try CRUDPlane.deleteAll(in: $0) } == 4)
        #expect(try counts() == [0, 19, 22])
    }

    @Test("An object tells whether it is there")
    func validity() throws {
        try create()
        try work { context throws in
            let plane = try #require(try CRUDPlane.first(in: context, where: "origin == \("Paris")"))
            #expect(try !plane.isDeleted && plane.exists() && plane.context === context)
            let baggage = try #require(try context.crud(CRUDBaggage.self, with: CRUDInput(json: #"{"weight":1}"#)))
            baggage.delete(reason: "test")
            #expect(try baggage.isDeleted && !baggage.exists())
        }
    }
}
