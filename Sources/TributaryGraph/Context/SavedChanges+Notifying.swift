extension SavedChanges {
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

extension StoreSet {
    /// Whether a listener or a context is notified of writes that are made without a context.
    package var hasListeners: Bool { contexts.hasListeners(besides: nil) }

    /// Notifies all contexts that more rows were written than could be listed.
    package func announceReload() { SavedChanges(reloading: self).notifyContexts(except: nil) }

    /// Notifies all contexts of saves that were buffered until their transaction was committed.
    package func announce(_ saves: [SavedChanges]) { for saved in saves { saved.notifyContexts(except: nil) } }

    /// Notifies all contexts of rows that were written without a context.
    package func announce(_ written: [(entity: Entity, inserted: [Int64], updated: [Int64])]) {
        var saved = SavedChanges(self)
        for part in written {
            if !part.inserted.isEmpty { saved.insertedKeys.append(.init(entity: part.entity, keys: part.inserted)) }
            if !part.updated.isEmpty { saved.updatedKeys.append(.init(entity: part.entity, keys: part.updated)) }
        }
        if !saved.isEmpty { saved.notifyContexts(except: nil) }
    }
}
