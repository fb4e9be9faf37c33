extension ManagedObject {
    /// The primary key of the row of the object; nil if no save has assigned it.
    package final var storedKey: Int64? { key > 0 ? key : nil }
}
