import TributaryGraph
import TributaryJSON
import TributaryImport

/// Sets the properties of an object from its record, where rows cannot do it: for the closures of a class.
struct ObjectSetter: Sendable {
    private let plan: ObjectPlan
    private let makesStubs: Bool

    /// A setter for objects of the first unit of a plan, whose keys are set already.
    ///
    /// - Throws: `ImportError` if the entity has a required relationship that no member sets.
    init(_ plan: ObjectPlan, makesStubs: Bool) throws {
        if plan.units[0].mapping.relations.isEmpty { try plan.units[0].mapping.checkRelationships() }
        (self.plan, self.makesStubs) = (plan, makesStubs)
    }

    /// The setter; it takes the context if relationships, closures or derived attributes need it.
    func importSetter(for entity: Entity) -> ImportSetter {
        plan.takesContext || entity.derivesFromOtherObjects
            ? .contextual { record, object, context in try set(object, record, in: context) }
            : .isolated { record, object in try set(object, record, in: nil) }
    }

    private func set(_ object: ManagedObject, _ record: Record, in context: ManagedObjectContext?) throws {
        record.clearFailure()
        var reader = ObjectReader(plan, keyless: .error)
        try reader.read(record.value, record, into: object).isNew = object.isInserted
        var importer = ObjectImporter(plan, in: context, makesStubs: makesStubs)
        try importer.apply(&reader)
    }
}
