extension SavedChanges {
    /// Notifies all contexts of a save that was buffered until its transaction was committed.
    package func announce() { notifyContexts(except: nil) }

    /// Notifies all contexts of these stores except the one that saved, each on its own queue.
    func notifyContexts(except origin: ManagedObjectContext?) {
        stores.contexts.notifyListeners(of: self)
        let originID = origin.map(ObjectIdentifier.init)
        for entry in stores.contexts.all where entry.contextID != originID {
            entry.inbox.add(self) {
                entry.isolation.async {
                    guard let saved = entry.inbox.next(), let context = entry.context, context.mergesAutomatically,
                        context.parent == nil
                    else { return }
                    context.merge(saved)
                }
            }
        }
    }
}
