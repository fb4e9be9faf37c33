/// A difference between the database and the oracle.
struct SessionDifference: Error, CustomStringConvertible {
    var description: String
    /// The step after which it was found.
    var step: Int

    init(_ description: String, step: Int = 0) { (self.description, self.step) = (description, step) }
}
