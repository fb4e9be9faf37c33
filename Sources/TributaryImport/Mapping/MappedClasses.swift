/// What classes say about the mapping of their entities, by the names of these.
package struct MappedClasses: Sendable {
    package var mappings: [String: Mapping] = [:]
    /// The entities whose classes have closures that an import calls.
    package var hooked: Set<String> = []
    /// The entities whose objects have hooks that a deletion calls.
    package var deletedAsObjects: Set<String> = []

    /// No classes.
    package init() {}
}
