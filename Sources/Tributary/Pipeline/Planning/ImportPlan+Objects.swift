import TributaryGraph
import TributaryJSON

extension ImportPlan {
    /// The parts that turn the records of a route into objects.
    struct Objects: Sendable {
        let key: RecordKey
        /// All columns of the entity.
        let table: BulkTable
        let setter: ImportSetter
        /// The mapping as text, to identify the import; the same for all closures.
        let mapping: String

        /// The error for a hook that used more than its scope allows while the objects of `records` were saved.
        func violation(
            _ access: StoreAccess, _ records: some Collection<Record>, _ result: BatchResult<ManagedObject>
        ) -> ImportError {
            let record = zip(records, result.objects).first { $0.1 != nil && $0.1 === access.object }?.0
            return .setterNeedsContext(key.entity, record ?? records.first, access.scope)
        }
    }
}
