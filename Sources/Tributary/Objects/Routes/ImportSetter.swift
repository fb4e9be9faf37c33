import TributaryGraph
import TributaryImport
import TributaryJSON

/// The closure of a route that sets the object of a record.
enum ImportSetter: ObjectRoute {
    /// Uses its record and the attributes of its object; runs in parallel, on any thread.
    case isolated(@Sendable (Record, ManagedObject) throws -> Void)
    /// May use the context; runs alone, in feed order, on the thread that writes.
    case contextual(@Sendable (Record, ManagedObject, ManagedObjectContext) throws -> Void)

    /// Sets objects of the first unit of a plan, whose keys are set already, where rows cannot: for the closures of a class.
    ///
    /// It takes the context if relationships, closures or derived attributes need it.
    init(_ plan: ObjectPlan, makesStubs: Bool) throws {
        let mapping = plan.units[0].mapping
        if mapping.relations.isEmpty { try mapping.checkRelationships() }
        @Sendable func set(_ object: ManagedObject, _ record: Record, in context: ManagedObjectContext?) throws {
            record.clearFailure()
            var reader = ObjectReader(plan, requiresKey: true)
            try reader.read(record.value, record, into: object).isNew = object.isInserted
            var importer = ObjectImporter(plan, in: context, makesStubs: makesStubs)
            try importer.apply(&reader)
        }
        self =
            plan.takesContext || mapping.entity.derivesFromOtherObjects
            ? .contextual { record, object, context in try set(object, record, in: context) }
            : .isolated { record, object in try set(object, record, in: nil) }
    }

    /// Whether it may use the context.
    var takesContext: Bool { if case .contextual = self { true } else { false } }

    /// The access to the store that setters have.
    var scope: StoreAccess.Scope { takesContext ? .context : .object }

    /// The setter for the objects of a context.
    func closure(in context: ManagedObjectContext) -> RecordBatch.Setter {
        switch self {
        case .isolated(let body): body
        case .contextual(let body): { record, object in try body(record, object, context) }
        }
    }
}
