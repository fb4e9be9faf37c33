/// The changes of a context as rows of one table, to be written by another thread.
package struct ChangedRows {
    /// New objects with all values, and changed objects with their changed values.
    package let rows: RowBatch
    /// For each row the key of the row that it updates; 0 if it is new.
    package private(set) var comparison = RowComparison(count: 0)
    /// The slots of the columns.
    fileprivate let slots: [Int]

    /// No rows yet, with capacity for `count` rows of `table`.
    package init(of table: BulkTable, room count: Int) {
        rows = RowBatch(width: table.columns.count, capacity: count * 64)
        rows.reserve(rows: count)
        comparison.keys.reserveCapacity(count)
        slots = table.columns.map { table.entity.attribute(named: $0.attributeName)?.slot ?? 0 }
    }

    /// Adds the values of a new object; `ordinal` is the index of its record in its chunk.
    mutating func add(_ row: Row, ordinal: Int) {
        rows.begin(ordinal: ordinal)
        slots.withUnsafeBufferPointer { slots in
            for slot in slots { EntityCodec.flatten(slot, of: row, isReference: false, into: rows) }
        }
        add(0)
    }

    fileprivate mutating func add(_ key: Int64) { comparison.keys.append(key) }
}

extension ManagedObjectContext {
    /// Saves the changes of the context as rows of `table`, appended to `saved`, instead of into the store.
    ///
    /// The table has all attributes of its entity; a change of anything else violates `access`. `ordinal` is the index
    /// of the record of a new object in its chunk. After an error nothing is saved, and `saved` is unusable.
    package func saveRows(
        of table: BulkTable, to saved: inout ChangedRows, _ access: StoreAccess, ordinal: (ManagedObject) -> Int?
    ) throws {
        check()
        guard !isSaving, editLog == nil else { preconditionFailure("a context cannot be saved during its own save") }
        isSaving = true
        defer { isSaving = false }
        guard var changed = try throwingReadFailures(prepareAll) else { return }
        let registry = registry(table.entity)
        func demand(_ isAllowed: Bool, of object: ManagedObject) throws {
            if !isAllowed { access.violate() }
            try access.checkHook(of: object)
        }
        let isConfined = changed.holdsForAll { $0.registry === registry && $0.hasOnlyAttributeChanges }
        if !isConfined {
            for object in changed {
                try demand(object.registry === registry && object.hasOnlyAttributeChanges, of: object)
            }
        }
        let (rows, slots) = (saved.rows, saved.slots)
        for object in changed {
            if object.state.contains(.inserted) {
                guard let index = ordinal(object) else { return try demand(false, of: object) }
                saved.add(object.row, ordinal: index)
            } else if let committed = object.committed, object.differsFromRow {
                rows.begin(ordinal: 0)
                for (column, slot) in slots.enumerated() {
                    if object.row.isEqual(committed, slot) {
                        rows.addAbsent()
                    } else {
                        // A row is looked up by its key, so a hook must not change it.
                        if table.key.contains(column) { try demand(false, of: object) }
                        EntityCodec.flatten(slot, of: object.row, isReference: false, into: rows)
                    }
                }
                saved.add(object.key)
            }
        }
        finish(&changed, keepingKeys: false, notifiesOthers: false)
        try access.check()
    }
}

extension ManagedObject {
    /// Whether it is new or changed, and only its attributes differ from its row.
    var hasOnlyAttributeChanges: Bool {
        guard state.isDisjoint(with: [.deleted, .detached]), !accessFlags.contains(.fault) else { return false }
        if entity.relationships.isEmpty { return true }
        for relationship in entity.relationships {
            let slot = relationship.slot
            if relationship.isToMany {
                if manyObjects(slot)?.hasChanges ?? false { return false }
            } else if let committed {
                if !row.isEqual(committed, slot) { return false }
            } else if state.contains(.inserted), row.kind(slot) != .null {
                return false
            }
        }
        return true
    }
}
