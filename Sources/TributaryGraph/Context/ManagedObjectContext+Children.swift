extension ManagedObjectContext {
    /// A context with a queue of its own whose saves go into this one.
    public func privateChild(name: String = "child") -> PrivateContext {
        check()
        return PrivateContext(parent: self, name: name)
    }

    /// A context on the same queue whose saves go into this one: to try things, and drop them.
    ///
    /// Changes keep a context, and it keeps them: `rollback` it, or `reset` it, before you let go of one that has any.
    public func scratchChild(name: String = "scratch") -> ManagedObjectContext {
        check()
        return ManagedObjectContext(stores, isolation, parent: self, name: name)
    }
}
