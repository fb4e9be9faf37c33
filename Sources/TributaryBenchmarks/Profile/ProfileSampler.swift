import Foundation
import Tributary
import TributaryConcurrency

/// Takes samples of an import at regular intervals.
enum ProfileSampler {
    /// Calls `body` and returns samples of `state` during the call.
    static func sample(
        _ state: @escaping @Sendable () -> ImportMeasures, _ body: () throws -> Void
    ) throws -> [ProfileSample] {
        let start = ContinuousClock.now
        let isOver = Monitor(false)
        let samples = Guarded<[ProfileSample]>([])
        let hasEnded = Monitor(false)
        @Sendable func take() {
            let sample = ProfileSample(
                seconds: (ContinuousClock.now - start).seconds, memory: ProcessMemory.resident,
                state: state())
            samples.withLock { $0.append(sample) }
        }
        try WorkerThread.start {
            repeat { take() } while isOver.wait(milliseconds: 20, until: { $0 ? true : nil }) == nil
            hasEnded.update { $0 = true }
        }
        let result = Result { try body() }
        isOver.update { $0 = true }
        _ = hasEnded.wait { $0 ? true : nil }
        try result.get()
        take()
        return samples.withLock { $0 }
    }
}
