import TributaryGraph
import TributaryImport
import TributaryJSON

/// The closure of a route that sets the object of a record.
enum ImportSetter: ObjectRoute {
    /// Uses its record and the attributes of its object; runs in parallel, on any thread.
    case isolated(@Sendable (Record, ManagedObject) throws -> Void)
    /// May use the context; runs alone, in feed order, on the thread that writes.
    case contextual(@Sendable (Record, ManagedObject, ManagedObjectContext) throws -> Void)

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
