/// The subject for evaluating constant expressions, which read no key.
struct EmptySubject: FilterSubject {
    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
        throw FilterError(.key, "an expression without a subject cannot read the key \(key)")
    }
}
