import CTributaryThread
import Dispatch
import Foundation

/// Where a context and its objects may be used: on the main actor, or on a serial queue of their own.
///
/// What is asked is the isolation and not the thread: on Linux the main actor of an asynchronous `main` does not run on
/// the main thread.
struct ContextIsolation: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private final class Token: Sendable {}

    /// The queue; that of the main actor for contexts on it.
    let queue: DispatchQueue
    private let token: Token
    /// Whether it is the main actor.
    let isMain: Bool

    /// The main actor.
    static let main = ContextIsolation(queue: .main, isMain: true)

    /// A new serial queue.
    init(label: String) {
        self.init(queue: DispatchQueue(label: label, autoreleaseFrequency: .workItem), isMain: false)
    }

    private init(queue: DispatchQueue, isMain: Bool) {
        self.queue = queue
        self.isMain = isMain
        token = Token()
        queue.setSpecific(key: ContextIsolation.key, value: ObjectIdentifier(token))
    }

    /// Whether the caller is there.
    var isCurrent: Bool {
        if tributary_thread().pointee.place == mark { return true }
        if DispatchQueue.getSpecific(key: ContextIsolation.key) == ObjectIdentifier(token) { return true }
        return isMain && Thread.isMainThread
    }

    /// Traps if the caller is elsewhere.
    @inline(__always)
    func check() {
        // Each property of an object that changes for the first time asks: the mark of the thread is the cheapest answer.
        if tributary_thread().pointee.place != mark, !isCurrent { refuse() }
    }

    /// What the thread is marked with while something runs here.
    @inline(__always)
    private var mark: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(token).toOpaque()) }

    /// Runs `body`, which has come to the queue, under its mark.
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
                "a context or an object of it was used outside of its queue \(queue.label); use perform or performAndWait"
            )
        }
        MainActor.preconditionIsolated("the main context or an object of it was used outside of the main actor")
    }

    /// Runs `body` there and waits for it; at once if the caller is there already.
    func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isCurrent { return try body() }
        return try queue.sync { try marked(body) }
    }

    /// Runs `body` there, later.
    func async(_ body: @escaping @Sendable () -> Void) {
        queue.async { marked(body) }
    }
}
