/// Why the server does not start.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause and a remedy.
    package let description: String

    init(_ description: String) { self.description = description }
}
