import TributaryGraph
import TributaryJSON

extension ImportPlan {
    /// What makes objects of the records of a route.
    struct Objects: Sendable {
        let key: RecordKey
        /// All columns of the entity.
        let table: BulkTable
        let setter: ImportSetter
        /// What decides which value goes where, as far as that can be said.
        let mapping: String

        /// The error for a hook that has used more than it may, while the objects of `records` were saved.
        func violation(
            _ access: StoreAccess, _ records: some Collection<Record>, _ result: BatchResult<ManagedObject>
        ) -> ImportError {
            let culprit = zip(records, result.objects).first { $0.1 != nil && $0.1 === access.object }?.0
            return .setterNeedsContext(key.entity, culprit ?? records.first, access.scope)
        }
    }
}
