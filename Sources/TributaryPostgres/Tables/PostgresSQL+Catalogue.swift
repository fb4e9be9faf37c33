extension PostgresSQL {
    /// The name of a type that this library uses, or that the catalogue of the server has written.
    init(type name: String) { self.init(catalogue: name) }

    /// A whole number.
    init(number: Int) { self.init(catalogue: "\(number)") }
}
