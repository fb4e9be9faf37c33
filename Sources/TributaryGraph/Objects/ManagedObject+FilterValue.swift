extension ManagedObject {
    /// The value of an attribute.
    package final func filterValue(of attribute: AttributeProperty) -> FilterValue {
        attribute.filterValue(in: rowToRead(UInt16(attribute.slot)))
    }
}
