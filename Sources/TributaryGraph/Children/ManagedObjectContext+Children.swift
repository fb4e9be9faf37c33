extension ManagedObjectContext {
    /// A context with a queue of its own whose saves go into this one.
    public func privateChild(name: String = "child") -> PrivateContext {
        check()
        return PrivateContext(parent: self, name: name)
    }

    /// A context on the same queue whose saves go into this one, for changes that may be dropped.
    ///
    /// A context and its changes retain each other: call `rollback` or `reset` before releasing a context with changes.
    public func scratchChild(name: String = "scratch") -> ManagedObjectContext {
        check()
        return ManagedObjectContext(stores, isolation, parent: self, name: name)
    }
}
