/// Keeps an observation of a context active until it is released.
public final class ContextObservation {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}
