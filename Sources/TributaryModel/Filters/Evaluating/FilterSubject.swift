/// An object that a filter is evaluated for, with values by key.
public protocol FilterSubject {
    /// The reference by which objects are compared; nil if the object equals no other.
    var filterReference: FilterReference? { get }

    /// The value of a key.
    ///
    /// - Throws: `FilterError` with the code `filter.key`, if there is no such key.
    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty
}

extension FilterSubject {
    /// By default nil: the object equals no other.
    public var filterReference: FilterReference? { nil }
}

extension FilterSubject where Self: Hashable & Sendable {
    /// A reference to the object itself.
    public var filterReference: FilterReference? { FilterReference(self) }
}
