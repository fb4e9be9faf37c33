import TributaryConcurrency
import TributaryTestSupport

/// Answers that follow one after the other, the last one for all further requests.
final class WebScript: Sendable {
    typealias Step = @Sendable (LoopbackRequest) -> LoopbackAnswer

    private let steps: [Step]
    private let count = Guarded(0)

    init(_ steps: [Step]) { self.steps = steps }

    func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
        let index = count.withLock { count in
            defer { count += 1 }
            return min(count, steps.count - 1)
        }
        return steps[index](request)
    }
}
