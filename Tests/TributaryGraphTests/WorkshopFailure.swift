/// What differs from what should be.
struct WorkshopFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Throws unless `condition` holds.
    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws {
        if !condition { throw WorkshopFailure(description()) }
    }
}
