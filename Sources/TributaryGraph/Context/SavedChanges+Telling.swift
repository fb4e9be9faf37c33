extension SavedChanges {
    /// Tells all contexts of these stores but the one that has saved; each hears of it on its own queue.
    func tell(besides origin: ManagedObjectContext?) {
        stores.contexts.tell(self)
        let number = origin.map(ObjectIdentifier.init)
        for entry in stores.contexts.all where entry.number != number {
            entry.inbox.add(self) {
                entry.isolation.async {
                    guard let delivery = entry.inbox.next(), let context = entry.context,
                        context.mergesAutomatically, context.parent == nil
                    else { return }
                    switch delivery {
                    case .merge(let saved): context.merge(saved)
                    case .reload: context.reload()
                    }
                }
            }
        }
    }
}

extension StoreSet {
    /// Whether anybody hears of what is written without a context.
    package var hasListeners: Bool { contexts.hasListeners(besides: nil) }

    /// Tells all contexts of saves that were buffered until their transaction was committed.
    package func announce(_ saves: [SavedChanges]) { for saved in saves { saved.tell(besides: nil) } }

    /// Tells all contexts what was written without one.
    package func announce(_ written: [(entity: Entity, inserted: [Int64], updated: [Int64])]) {
        var saved = SavedChanges(self)
        for part in written {
            if !part.inserted.isEmpty { saved.insertedKeys.append(.init(entity: part.entity, keys: part.inserted)) }
            if !part.updated.isEmpty { saved.updatedKeys.append(.init(entity: part.entity, keys: part.updated)) }
        }
        if !saved.isEmpty { saved.tell(besides: nil) }
    }
}
