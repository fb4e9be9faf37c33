import TributaryConcurrency

/// The property names of key paths, cached by key path.
package enum KeyPathNames {
    private static let known = Guarded<[AnyKeyPath: [String]]>([:])

    /// The names of the properties in `path`.
    ///
    /// A key path that does not consist of properties of a model is a programming error and traps.
    package static func names(of path: AnyKeyPath) -> [String] {
        if let names = known.withLock({ $0[path] }) { return names }
        guard let names = KeyPathTrace.names(of: path) else {
            fatalError(
                "\(path) is not a property of a model; use properties declared with @Attribute or @Relationship, or write the filter as text"
            )
        }
        known.withLock { $0[path] = names }
        return names
    }
}
