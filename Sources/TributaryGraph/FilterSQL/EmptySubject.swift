/// The subject of expressions that have none.
struct EmptySubject: FilterSubject {
    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
        throw FilterError(.key, "there is no subject with the key \(key)")
    }
}
