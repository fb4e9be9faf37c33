public import Foundation

/// Is notified of the objects of an ``ObjectController``.
///
/// All methods do nothing unless they are implemented.
@MainActor public protocol ObjectControllerDelegate<Object>: AnyObject {
    /// The class of the objects.
    associatedtype Object: ManagedObject

    /// Called with the indexes of all objects after a fetch, or with the error of a fetch.
    func controller(_ controller: ObjectController<Object>, didFetch indexes: IndexSet, error: (any Error)?)

    /// Called with the indexes of objects that were changed by a save.
    func controller(_ controller: ObjectController<Object>, didSave indexes: IndexSet)

    /// Called with the indexes of objects that belong to the request since a save.
    func controller(_ controller: ObjectController<Object>, didInsert indexes: IndexSet)

    /// Called with the indexes that objects had before a save deleted them, or made them no longer match.
    func controller(_ controller: ObjectController<Object>, didDelete indexes: IndexSet)
}

extension ObjectControllerDelegate {
    /// Does nothing.
    public func controller(_ controller: ObjectController<Object>, didFetch indexes: IndexSet, error: (any Error)?) {}
    /// Does nothing.
    public func controller(_ controller: ObjectController<Object>, didSave indexes: IndexSet) {}
    /// Does nothing.
    public func controller(_ controller: ObjectController<Object>, didInsert indexes: IndexSet) {}
    /// Does nothing.
    public func controller(_ controller: ObjectController<Object>, didDelete indexes: IndexSet) {}
}
