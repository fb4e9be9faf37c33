extension FetchedResultsController {
    /// Calls `body` with each change, until the observation is released.
    public func observe(_ body: @escaping (ResultsChange) -> Void) -> ContextObservation {
        closures.add(body, in: context)
    }

    /// The changes from now on, for one loop.
    public var changes: ResultsChangeSequence {
        context.check()
        let inbox = Inbox<ResultsChange>(bound: ResultsChangeSequence.bound)
        inboxes.removeAll { $0.inbox == nil }
        inboxes.append(WeakInbox(inbox: inbox))
        return ResultsChangeSequence(inbox: inbox)
    }

    /// Passes a change to the delegate, the closures and the sequences.
    func notifyObservers(of change: ResultsChange) {
        var change = change
        change.revision = revision
        if change.isReload {
            delegate?.controllerDidReload(self)
        } else if let delegate {
            delegate.controllerWillChange(self)
            for section in change.deletedSections { delegate.controller(self, didDelete: section) }
            for section in change.insertedSections { delegate.controller(self, didInsert: section) }
            for object in change.objects { delegate.controller(self, didChange: object) }
            delegate.controllerDidChange(self)
        }
        for body in closures.all { body(change) }
        let weight = change.isReload ? ResultsChangeSequence.bound + 1 : 1 + change.objects.count
        for entry in inboxes { entry.inbox?.add(change, weight: weight, else: .reload(change.revision)) }
    }
}
