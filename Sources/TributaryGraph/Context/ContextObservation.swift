/// Keeps an observation of a context going; when it is let go the observation ends.
public final class ContextObservation {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}
