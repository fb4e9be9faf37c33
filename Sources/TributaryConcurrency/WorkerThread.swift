import CTributaryThread
import TributaryPlatform

#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// Starts threads for work that blocks, so that it never starves a dispatch or task pool.
package enum WorkerThread {
    /// Lets other threads run first.
    package static func yield() { sched_yield() }

    /// Starts `body` on a new detached thread.
    ///
    /// The name, of at most 15 bytes, is what tools of the system show.
    ///
    /// - Throws: `Failure` if the system cannot create a thread.
    package static func start(named name: StaticString = "worker", _ body: @escaping @Sendable () -> Void) throws {
        let box = Unmanaged.passRetained(
            Box {
                WorkerThread.setName(name)
                body()
            })
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, attributes, threadMain, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw Failure(reason: String(cString: strerror(code)))
        }
    }

    private static func setName(_ name: StaticString) {
        name.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) { name in
                if let start = name.baseAddress { tributary_name_thread(start) }
            }
        }
    }

    /// Calls `body` in an autorelease pool, where there is an Objective-C runtime.
    package static func withAutoreleasePool(_ body: () -> Void) {
        #if canImport(ObjectiveC)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }

    /// The system cannot create a thread.
    package struct Failure: Error, CustomStringConvertible {
        package let reason: String
        package var description: String { "no thread can be started: \(reason)" }
    }

    fileprivate final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

#if canImport(Darwin)
    private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<WorkerThread.Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
#else
    private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context { Unmanaged<WorkerThread.Box>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
#endif
