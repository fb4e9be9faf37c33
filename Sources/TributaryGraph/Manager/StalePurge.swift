import Dispatch

/// A timer that purges stale objects until it is cancelled or released.
public final class StalePurge: @unchecked Sendable {
    // A dispatch source may be used on any thread; the property is a constant.

    private let timer: any DispatchSourceTimer

    init(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + seconds, repeating: seconds)
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    deinit { cancel() }

    /// Ends the timer; a purge that has begun is finished.
    public func cancel() { timer.cancel() }
}
