import TributaryPlatform

/// A value protected by a lock.
///
/// It is not `Synchronization.Mutex`, because on Linux the thread sanitizer does not recognize that lock and reports
/// false races, among which a true one would be missed.
///
/// `@unchecked Sendable`: `value` is accessed only between `pthread_mutex_lock` and `_unlock`, and the initial value is
/// `sending`.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init(_ value: consuming sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` under the lock; it must not take the lock again.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
