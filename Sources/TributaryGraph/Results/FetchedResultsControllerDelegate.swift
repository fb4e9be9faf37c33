/// Is notified of the changes of a ``FetchedResultsController``, on the queue of its context.
///
/// For each change it is called in this order: `willChange`, deleted sections, inserted sections, objects (deletions,
/// insertions, moves, updates), `didChange`. The controller has the new results already at the first of these calls.
/// All methods do nothing unless they are implemented.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
    /// The class of the results.
    associatedtype Object: ManagedObject

    /// Called before the parts of a change.
    func controllerWillChange(_ controller: FetchedResultsController<Object>)

    /// Called for each deleted section.
    func controller(
        _ controller: FetchedResultsController<Object>, didDelete section: ResultsChange.Section)

    /// Called for each inserted section.
    func controller(
        _ controller: FetchedResultsController<Object>, didInsert section: ResultsChange.Section)

    /// Called for each changed object.
    func controller(
        _ controller: FetchedResultsController<Object>, didChange object: ResultsChange.Object)

    /// Called after the parts of a change.
    func controllerDidChange(_ controller: FetchedResultsController<Object>)

    /// Called in place of all other methods if everything must be shown again.
    func controllerDidReload(_ controller: FetchedResultsController<Object>)
}

extension FetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChange(_ controller: FetchedResultsController<Object>) {}
    /// Does nothing.
    public func controller(_ controller: FetchedResultsController<Object>, didDelete section: ResultsChange.Section) {}
    /// Does nothing.
    public func controller(_ controller: FetchedResultsController<Object>, didInsert section: ResultsChange.Section) {}
    /// Does nothing.
    public func controller(_ controller: FetchedResultsController<Object>, didChange object: ResultsChange.Object) {}
    /// Does nothing.
    public func controllerDidChange(_ controller: FetchedResultsController<Object>) {}
    /// Does nothing.
    public func controllerDidReload(_ controller: FetchedResultsController<Object>) {}
}
