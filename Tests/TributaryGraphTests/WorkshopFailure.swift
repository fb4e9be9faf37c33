/// A difference between the actual and the expected state in a random test.
struct WorkshopFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws {
        if !condition { throw WorkshopFailure(description()) }
    }
}
