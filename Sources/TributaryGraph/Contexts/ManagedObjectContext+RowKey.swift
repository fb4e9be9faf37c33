extension ManagedObjectContext {
    /// The object of a stored row: the one in memory, or a fault.
    package func object(_ row: RowKey) -> ManagedObject { object(with: ObjectID(stores, row.entity, row.key)) }
}
