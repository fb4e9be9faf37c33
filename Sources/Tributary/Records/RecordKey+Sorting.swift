import TributaryStore
import TributaryImport
import TributaryJSON

extension RecordKey {
    /// The sorted keys of `records`, and the errors of records without a key, by index.
    func keys(of records: some Collection<Record>) -> (keys: SortedKeys, failures: [Int: JSONError]) {
        var keys = SortedKeys(attributes, capacity: records.count)
        var failures: [Int: JSONError] = [:]
        var values = ProjectedValues()
        for (index, record) in records.enumerated() {
            if let error = add(record, to: &keys, &values) { failures[index] = error }
        }
        keys.sort()
        return (keys, failures)
    }
}
