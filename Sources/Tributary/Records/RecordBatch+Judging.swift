import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite

/// The reasons why records are rejected.
extension RecordBatch {
    /// The error with which a setter's error rejects its record; nil if the record did not cause it.
    static func refusal(_ error: any Error) -> JSONError? {
        switch error {
        case let error as JSONError: error
        case is SQLiteError, is StoreError, is ImportError, is CancellationError: nil
        default: JSONError(.setterFailed, "the setter threw \(error)")
        }
    }

    /// The reason to reject the changes of a record; nil if they are valid.
    func verdict(
        on object: ManagedObject, _ index: Int, _ keys: SortedKeys, _ editor: ObjectEditor, _ progress: Progress
    ) throws -> JSONError? {
        guard editor.isAlive(object) else {
            return JSONError(
                .keyDeleted, "the setter deleted the \(object.entity.name) of the record",
                hint: "throw an error to reject the record")
        }
        guard editor.hasKey(object, keys, index) else { return keyChanged(object.entity) }
        for other in editor.objectsWithNewKeys(besides: object) {
            let group = editor.group(of: other, in: keys)
            let existing = group.flatMap { progress.objects[$0] }.flatMap { known in
                known !== other && editor.isAlive(known) && editor.group(of: known, in: keys) == group ? known : nil
            }
            if try existing != nil || group == Int(keys.group[index]) || editor.hasDuplicate(other) {
                return JSONError(
                    .keyTaken, "the setter inserted a second \(other.entity.name) with an existing key",
                    hint: "fetch the existing object, or import such objects by a route of their own")
            }
        }
        let faults = editor.faults(around: object)
        return faults.isEmpty ? nil : RecordBatch.refusal(faults)
    }

    /// The error with which violated rules, of which there is at least one, reject a record.
    static func refusal(_ faults: [ValidationError]) -> JSONError {
        let rest = faults.count > 1 ? "; and \(faults.count - 1) more" : ""
        return JSONError(code(faults[0].code), "\(faults[0])\(rest)")
    }

    /// The error of a record whose setter changed the key of its object.
    func keyChanged(_ entity: Entity) -> JSONError {
        JSONError(
            .keyChanged, "the setter changed the key of the \(entity.name)", hint: "do not set its key in the setter")
    }

    /// The error of a record whose key belongs to an object of another entity.
    func entityMismatch(_ object: ManagedObject) -> JSONError {
        JSONError(
            .storeEntity, "found the key in an object of \(object.entity.name), expected \(key.entity.name)",
            hint: "a key must be unique among \(key.scope.name) and its subentities")
    }

    /// The error with which a failed save rejects its record; nil if the record did not cause it.
    static func refusal(_ error: SaveError) -> JSONError? {
        switch error.code {
        case .uniqueness:
            let names = error.conflicts.flatMap(\.uniqueProperties).joined(separator: ", ")
            return JSONError(.storeUnique, "a value that must be unique exists already: \(names)")
        case .validation: return error.faults.first.map { JSONError(code($0.code), "\($0)") }
        default: return nil
        }
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
