import Foundation
import TributaryConcurrency
public import TributaryGraph

/// An operation with a private context of its own.
///
///     final class Ageing: ContextOperation, @unchecked Sendable {
///         override func performWork(in context: ManagedObjectContext) throws {
///             for author in try Author.all(in: context) { author.age += 1 }
///             completeAndSave()
///         }
///     }
///     queue.addOperation(Ageing(manager))
///
/// What is saved is merged into the main context as any save is.
open class ContextOperation: WorkOperation, @unchecked Sendable {
    // The context is in the lock, and is used on its queue alone.

    private let current = Guarded<Handle?>(nil)

    /// The context while the work is done.
    private struct Handle: @unchecked Sendable {
        // Taken out on the queue of the context only, in `completeAndSave`.
        let context: ManagedObjectContext
    }

    /// The work, on the queue of a new private context; it ends with a call of `completeAndSave`.
    ///
    /// - Throws: what becomes an error of the operation; then nothing more is saved.
    open func performWork(in context: ManagedObjectContext) throws {
        fatalError("\(type(of: self)) does not override performWork(in:)")
    }

    /// Saves what has changed, unless the operation was cancelled; an error of the save is added to those of the operation.
    ///
    /// To be called in `performWork(in:)`.
    public final func completeAndSave() {
        guard let context = current.withLock({ $0 })?.context else {
            fatalError("completeAndSave() is called in performWork(in:), as its last word")
        }
        guard !isCancelled else {
            context.rollback()
            return
        }
        do {
            try context.save()
        } catch {
            context.rollback()
            addError(error)
        }
    }

    /// Makes the context and calls `performWork(in:)`.
    public final override func work() throws {
        let handle = manager.newPrivateContext(name: name ?? "\(type(of: self))")
        try handle.performAndWait { context in
            let box = Handle(context: context)
            current.withLock { $0 = box }
            defer { current.withLock { $0 = nil } }
            do {
                try performWork(in: context)
            } catch {
                context.rollback()
                throw error
            }
            guard context.hasChanges else { return }
            context.rollback()
            if isCancelled { return }
            throw ImportError(
                .misuse, "\(type(of: self)) has changed objects after its last save, which is lost",
                hint: "call completeAndSave() at the end of performWork(in:)")
        }
    }
}
