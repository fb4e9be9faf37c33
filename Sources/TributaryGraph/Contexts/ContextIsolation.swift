import CTributaryThread
import Dispatch
import Foundation

/// Where a context and its objects may be used: on the main actor, or on a serial queue of their own.
///
/// Checks compare the isolation and not the thread: on Linux the main actor of an asynchronous `main` does not run on
/// the main thread.
struct ContextIsolation: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private final class Token: Sendable {}

    /// The queue; the main queue for contexts of the main actor.
    let queue: DispatchQueue
    private let token: Token
    let isMain: Bool

    static let main = ContextIsolation(queue: .main, isMain: true)

    init(label: String) {
        self.init(queue: DispatchQueue(label: label, autoreleaseFrequency: .workItem), isMain: false)
    }

    private init(queue: DispatchQueue, isMain: Bool) {
        self.queue = queue
        self.isMain = isMain
        token = Token()
        queue.setSpecific(key: ContextIsolation.key, value: ObjectIdentifier(token))
    }

    /// Whether the caller runs on this queue or actor.
    var isCurrent: Bool {
        if tributary_thread().pointee.place == mark { return true }
        if DispatchQueue.getSpecific(key: ContextIsolation.key) == ObjectIdentifier(token) { return true }
        return isMain && Thread.isMainThread
    }

    /// Traps if the caller runs on another queue or actor.
    @inline(__always)
    func check() {
        // Called for the first change of every property: comparing the thread's mark is the cheapest check.
        if tributary_thread().pointee.place != mark, !isCurrent { refuse() }
    }

    /// The mark of a thread while it runs work of this queue.
    @inline(__always)
    private var mark: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(token).toOpaque()) }

    /// Runs `body`, which is already on the queue, with the thread marked.
    private func marked<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = tributary_thread()
        let outer = thread.pointee.place
        thread.pointee.place = mark
        defer { thread.pointee.place = outer }
        return try body()
    }

    @inline(never)
    private func refuse() {
        guard isMain else {
            fatalError(
                "a context or its object was used outside its queue \(queue.label); use perform or performAndWait"
            )
        }
        MainActor.preconditionIsolated("the main context or its object was used outside the main actor")
    }

    /// Runs `body` on the queue and waits for it; at once if the caller is already there.
    func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isCurrent { return try body() }
        return try queue.sync { try marked(body) }
    }

    func async(_ body: @escaping @Sendable () -> Void) {
        queue.async { marked(body) }
    }
}
