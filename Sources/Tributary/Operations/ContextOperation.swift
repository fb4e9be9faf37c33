import Foundation
import TributaryConcurrency
public import TributaryGraph
import TributaryImport

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
/// Its saves are merged into the main context like any others.
open class ContextOperation: WorkOperation, @unchecked Sendable {
    // The lock of `current` holds the context, which is used only on its queue.

    private let current = Guarded<Handle?>(nil)

    /// The context during the work.
    private struct Handle: @unchecked Sendable {
        // Used only on the queue of the context, in `completeAndSave`.
        let context: ManagedObjectContext
    }

    /// The work, on the queue of a new private context; it ends with a call of `completeAndSave`.
    ///
    /// - Throws: any error, which becomes an error of the operation; then nothing more is saved.
    open func performWork(in context: ManagedObjectContext) throws {
        fatalError("\(type(of: self)) does not override performWork(in:)")
    }

    /// Saves all changes, unless the operation was cancelled; an error of the save is added to those of the operation.
    ///
    /// Call it in `performWork(in:)`.
    public final func completeAndSave() {
        guard let context = current.withLock({ $0 })?.context else {
            fatalError("completeAndSave() must be called in performWork(in:)")
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

    /// Creates the context and calls `performWork(in:)`.
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
                .misuse, "\(type(of: self)) changed objects after its last save, and these changes are lost",
                hint: "call completeAndSave() at the end of performWork(in:)")
        }
    }
}
