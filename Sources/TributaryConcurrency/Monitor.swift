import TributaryPlatform

/// A value protected by a lock, with a way to wait until it satisfies a condition.
///
/// `Synchronization.Mutex` has no condition variable, which a thread of a pipeline needs to sleep until another one has
/// produced or consumed something.
///
/// `@unchecked Sendable`: `state` is accessed only between `pthread_mutex_lock` and `_unlock`; the two C objects
/// have fixed addresses from `init` to `deinit`.
package final class Monitor<State>: @unchecked Sendable {
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            // Timeouts must not depend on changes of the wall clock.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` under the lock and wakes all waiting threads.
    package func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Runs `body` under the lock without waking waiting threads.
    package func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// Sleeps until `body` returns a result.
    ///
    /// `body` runs under the lock, first at once and then after every `update`.
    package func wait<Result>(until body: (inout State) -> Result?) -> Result {
        while true {
            if let result = wait(until: body, { pthread_cond_wait(condition, mutex) }) { return result }
        }
    }

    /// Sleeps until `body` returns a result; nil if `milliseconds` pass first.
    package func wait<Result>(milliseconds: Int, until body: (inout State) -> Result?) -> Result? {
        var deadline = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_REALTIME, &deadline)
        #else
            clock_gettime(CLOCK_MONOTONIC, &deadline)
        #endif
        deadline.tv_nsec += (milliseconds % 1000) * 1_000_000
        deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        return wait(until: body) { pthread_cond_timedwait(condition, mutex, &deadline) }
    }

    /// Sleeps until `body` returns a result, or until a last time after `sleep` has returned `ETIMEDOUT`.
    private func wait<Result>(until body: (inout State) -> Result?, _ sleep: () -> Int32) -> Result? {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        while true {
            if let result = body(&state) { return result }
            if sleep() == ETIMEDOUT { return body(&state) }
        }
    }
}
