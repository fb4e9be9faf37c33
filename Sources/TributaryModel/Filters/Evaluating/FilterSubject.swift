/// What a filter is put to: something with keys.
public protocol FilterSubject {
    /// What stands for the object when objects are compared; nil if it equals no other.
    var filterReference: FilterReference? { get }

    /// What stands under a key.
    ///
    /// - Throws: an error with the code `filter.key`, if there is no such key.
    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty
}

extension FilterSubject {
    /// Nothing: the object equals no other.
    public var filterReference: FilterReference? { nil }
}

extension FilterSubject where Self: Hashable & Sendable {
    /// The object itself.
    public var filterReference: FilterReference? { FilterReference(self) }
}
