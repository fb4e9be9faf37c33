import TributaryConcurrency
import Synchronization
import TributaryPlatform

/// Turns Ctrl-C and `kill` into a request to stop at the end of a line.
///
/// The signals are blocked in all threads and received by one that waits for them, so that no code runs in a signal
/// handler. The second signal ends the process at once.
final class StopSignals: Sendable {
    /// The ends of a pipe that can be read after the first signal.
    private let wake: (read: Int32, write: Int32)

    /// A descriptor that can be read after the first signal, for threads that wait for other descriptors as well.
    var descriptor: Int32 { wake.read }

    private let caught = Atomic<Int32>(0)
    private let action = Guarded<(@Sendable () -> Void)?>(nil)

    /// The exit code for the caught signal; nil if there was none.
    var exitCode: Int32? {
        let signal = caught.load(ordering: .acquiring)
        return signal == 0 ? nil : 128 + signal
    }

    /// Prepares to catch signals; call it before the first thread is started.
    init() {
        // A closed pipe and a file that is too large are errors of `write`.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        // If no pipe can be made, a signal takes effect only between two writes.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        wake = (ends[0], ends[1])
    }

    deinit { for end in [wake.read, wake.write] where end >= 0 { close(end) } }

    /// Starts the thread that waits for signals.
    func start() throws {
        var set = sigset_t()
        sigemptyset(&set)
        // Signals that the parent process has made this one ignore, as nohup does, stay ignored.
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let watched = set
        try WorkerThread.start { [self] in
            var number: Int32 = 0
            var set = watched
            while true {
                guard sigwait(&set, &number) == 0 else { continue }
                let isSecond = caught.exchange(number, ordering: .acquiringAndReleasing) != 0
                if isSecond { _exit(128 + number) }
                _ = write(wake.write, "!", 1)
                action.withLock { $0 }?()
            }
        }
    }

    private func isIgnored(_ number: Int32) -> Bool {
        let old = signal(number, SIG_IGN)
        signal(number, old)
        return unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Sets the action for the first signal.
    func onStop(_ body: @escaping @Sendable () -> Void) {
        action.withLock { $0 = body }
        if exitCode != nil { body() }
    }
}
