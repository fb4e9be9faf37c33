import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Why records are refused.
extension RecordBatch {
    /// What an error of a setter means for its record; nil if it is no matter of the record.
    static func refusal(_ error: any Error) -> JSONError? {
        switch error {
        case let error as JSONError: error
        case is SQLiteError, is StoreError, is CancellationError: nil
        default: JSONError(.setterFailed, "the setter threw \(error)")
        }
    }

    /// What is wrong with what a record has done; nil if nothing is.
    func verdict(
        on object: ManagedObject, _ index: Int, _ keys: SortedKeys, _ editor: ObjectEditor
    ) throws -> JSONError? {
        guard editor.isAlive(object) else {
            return JSONError(
                .keyDeleted, "the setter deleted the \(object.entity.name) of the record",
                hint: "throw an error if it is not to be imported")
        }
        guard editor.hasKey(object, keys, index) else {
            return JSONError(
                .keyChanged, "the setter changed the key of the \(object.entity.name)",
                hint: "leave the key to the import")
        }
        for rival in editor.rivals(of: object) {
            if try editor.group(of: rival, in: keys) != nil || editor.hasDouble(rival) {
                return JSONError(
                    .keyTaken, "the setter made a second \(rival.entity.name) with a key that is taken",
                    hint: "look it up first, or import it from records of its own")
            }
        }
        let faults = editor.faults(around: object)
        guard let first = faults.first else { return nil }
        let rest = faults.count > 1 ? "; and \(faults.count - 1) more" : ""
        return JSONError(RecordBatch.code(first.code), "\(first)\(rest)")
    }

    /// The error of a record whose key belongs to something else.
    func foreign(_ object: ManagedObject) -> JSONError {
        JSONError(
            .storeEntity, "found the key in an object of \(object.entity.name), expected \(key.entity.name)",
            hint: "a key stands once among all entities below \(key.scope.name)")
    }

    static func code(_ code: ValidationError.Code) -> JSONError.Code {
        switch code {
        case .missing: .validateRequired
        case .tooLarge, .tooSmall: .validateRange
        case .tooLong, .tooShort: .validateLength
        case .pattern: .validatePattern
        default: .validateOther
        }
    }
}
