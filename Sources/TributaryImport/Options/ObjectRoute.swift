/// What sets the object of each record of a route; an import of rows knows no more of it.
package protocol ObjectRoute: Sendable {
    /// Whether it may use the context: then the import is written in feed order, by one thread.
    var takesContext: Bool { get }
}
