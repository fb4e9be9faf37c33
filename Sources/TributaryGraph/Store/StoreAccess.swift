/// What the setters of an import may do besides setting attributes, and whether one of them did more.
///
/// The check stands at two doors: the session of the thread, through which all reading and writing of the store goes, and
/// `ManagedObject.context`. It never decides what happens to a record; the import ends when `isViolated` is true.
package final class StoreAccess {
    /// How much a setter may use.
    package enum Scope: Sendable {
        /// Its record, and the attributes of its object.
        case object
        /// The context of its object as well, but no save.
        case context
    }

    /// Thrown to code that does more than it may.
    package struct Refusal: Error, CustomStringConvertible {
        let scope: Scope

        /// What the code may do.
        package var description: String {
            switch scope {
            case .object: "a setter with two arguments may use its record and the attributes of its object only"
            case .context: "a setter may not save, or write through another context"
            }
        }
    }

    package let scope: Scope
    /// Whether a setter or a hook has done more than it may.
    package private(set) var isViolated = false
    /// The object whose hook did it; nil for a setter.
    package private(set) var object: ManagedObject?

    package init(_ scope: Scope) { self.scope = scope }

    /// Records that a setter has used more than it may.
    package func violate() { isViolated = true }

    /// A setter, or a hook, wants to read the store.
    func willRead() throws(Refusal) {
        if scope == .object { throw refuse() }
    }

    /// A setter, or a hook, wants to write to the store.
    func willWrite() throws(Refusal) { throw refuse() }

    /// A setter, or a hook, asks its object for the context.
    func willUseContext() { if scope == .object { isViolated = true } }

    private func refuse() -> Refusal {
        isViolated = true
        return Refusal(scope: scope)
    }

    /// A hook of `object` has run.
    ///
    /// - Throws: `Refusal` if it did more than it may.
    func checkHook(of object: ManagedObject) throws(Refusal) {
        recordHook(of: object)
        try check()
    }

    /// - Throws: `Refusal` if a setter or a hook did more than it may.
    package func check() throws(Refusal) {
        if isViolated { throw Refusal(scope: scope) }
    }

    /// A hook of `object` has run, or failed.
    func recordHook(of object: ManagedObject) {
        if isViolated, self.object == nil { self.object = object }
    }
}
