extension SavedChanges {
    /// The number of rows, plus an allowance for each save, that an inbox keeps.
    static let bound = 1 << 20

    /// Adds the save to an inbox, in which a reload replaces too many rows.
    func add(to inbox: Inbox<SavedChanges>, _ send: () -> Void = {}) {
        let groups = [insertedKeys, updatedKeys, deletedKeys].joined()
        inbox.add(
            self, weight: groups.reduce(16) { $0 + $1.keys.count }, else: SavedChanges(reloading: stores), send)
    }

    /// Notifies all contexts of a save that was buffered until its transaction was committed.
    package func announce() { notifyContexts(except: nil) }

    /// Notifies all contexts of these stores except the one that saved, each on its own queue.
    func notifyContexts(except origin: ManagedObjectContext?) {
        stores.contexts.notifyListeners(of: self)
        let originID = origin.map(ObjectIdentifier.init)
        for entry in stores.contexts.all where entry.contextID != originID {
            add(to: entry.inbox) {
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
