import TributaryConcurrency

/// The names that key paths stand for, each found out once.
package enum KeyPathNames {
    private static let known = Guarded<[AnyKeyPath: [String]]>([:])

    /// The names of the properties that `path` leads through.
    ///
    /// A key path that is no path of properties of a model is a programmer's error, and traps.
    package static func names(of path: AnyKeyPath) -> [String] {
        if let names = known.withLock({ $0[path] }) { return names }
        guard let names = KeyPathTrace.names(of: path) else {
            fatalError(
                "\(path) is no property of a model; use properties declared with @Attribute or @Relationship, or write the filter as text"
            )
        }
        known.withLock { $0[path] = names }
        return names
    }
}
