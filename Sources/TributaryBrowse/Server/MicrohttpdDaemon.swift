// All that touches libmicrohttpd is in this file, so that the package builds without it when the trait is disabled.
#if Browse
    import CTributaryMicrohttpd
    import TributaryConcurrency
    import TributaryPlatform

    /// A server of libmicrohttpd, which calls a service from its threads.
    final class MicrohttpdDaemon: Sendable {
        /// The threads, and with them the number of pages that are made at once.
        private static let threads: UInt32 = 4
        /// Further connections wait until one of these is closed.
        private static let connections: UInt32 = 64
        /// The connections that wait.
        private static let backlog: Int32 = 128
        /// The time after which a connection without progress is closed.
        private static let seconds: UInt32 = 30
        /// The memory of a connection, which bounds the head of a request.
        private static let memory = 32 << 10
        /// Filters and queries need more than the 512 KiB that threads have on macOS.
        private static let stack = 8 << 20

        /// The port.
        let port: UInt16
        private let handle: Guarded<Handle>
        private let service: PageService

        /// Starts a server on a port of 127.0.0.1, or on a free one for 0; `service` is given the port.
        init(port wanted: UInt16, _ service: (UInt16) -> PageService) throws {
            var port = wanted
            let socket = tributary_microhttpd_listen(&port, MicrohttpdDaemon.backlog)
            guard socket >= 0 else {
                let reason = errno == EADDRINUSE ? "another program uses it" : String(cString: strerror(errno))
                throw ServerError("port \(wanted) of 127.0.0.1 cannot be opened: \(reason); choose another port")
            }
            let service = service(port)
            let handle = tributary_microhttpd_start(
                socket, MicrohttpdDaemon.threads, MicrohttpdDaemon.connections, MicrohttpdDaemon.seconds,
                MicrohttpdDaemon.memory, MicrohttpdDaemon.stack, Unmanaged.passUnretained(service).toOpaque(),
                handleRequest, beginRequest, endRequest)
            guard let handle else {
                throw ServerError("the server cannot start: no memory or threads are left; end other programs")
            }
            (self.port, self.handle, self.service) = (port, Guarded(Handle(handle)), service)
        }

        /// Ends the threads, and closes the port and the connections.
        func stop() {
            service.stop()
            let daemon = handle.withLock { handle in
                defer { handle = Handle(nil) }
                return handle
            }
            if let daemon = daemon.pointer { MHD_stop_daemon(daemon) }
        }
    }

    private struct Handle: @unchecked Sendable {
        // Only the function that ends the server uses it, once.
        let pointer: OpaquePointer?

        init(_ pointer: OpaquePointer?) { self.pointer = pointer }
    }

    /// A request between its first line and its answer, which only the thread of its connection uses.
    private final class PendingRequest {
        let target: [UInt8]
        var admitted: PageRequest?

        init(target: [UInt8]) { self.target = target }
    }

    /// Called with the first line of a request, before the library changes it.
    private func beginRequest(
        _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        let bytes = target.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        return Unmanaged.passRetained(PendingRequest(target: bytes ?? [])).toOpaque()
    }

    /// Called once for each request, when it is answered or its connection is closed.
    private func endRequest(
        _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
        _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
    ) {
        guard let pointer = request?.pointee else { return }
        request?.pointee = nil
        Unmanaged<PendingRequest>.fromOpaque(pointer).release()
    }

    /// Called after the head of a request, and again at its end unless it was answered; no closes the connection.
    private func handleRequest(
        _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
        _ uploadSize: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let context, let connection, let method, let pointer = request?.pointee, uploadSize?.pointee == 0 else {
            return .NO
        }
        let service = Unmanaged<PageService>.fromOpaque(context).takeUnretainedValue()
        let pending = Unmanaged<PendingRequest>.fromOpaque(pointer).takeUnretainedValue()
        if let request = pending.admitted { return send(service.answer(request), on: connection) }
        let head = RequestHead(
            method: String(cString: method), target: pending.target, headers: headers(of: connection))
        switch service.check(head) {
        case .admitted(let request): pending.admitted = request
        // The library closes the connection after an answer to the head.
        case .answered(let answer): return send(answer, on: connection)
        }
        return .YES
    }

    private func headers(of connection: OpaquePointer) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    let headers = context?.assumingMemoryBound(to: [(name: String, value: String)].self)
                    headers?.pointee.append((text(name, nameSize), text(value, valueSize)))
                    return .YES
                }, headers)
        }
        return headers
    }

    private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
    }

    private func send(_ answer: ServerAnswer, on connection: OpaquePointer) -> MHD_Result {
        var body = answer.body
        let response = body.withUnsafeMutableBytes {
            MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in answer.headers where MHD_add_response_header(response, name, value) != .YES {
            return .NO
        }
        return MHD_queue_response(connection, UInt32(answer.status), response)
    }
#else
    /// The absence of libmicrohttpd.
    final class MicrohttpdDaemon: Sendable {
        let port: UInt16 = 0

        init(port wanted: UInt16, _ service: (UInt16) -> PageService) throws {
            throw ServerError("this program cannot show a page; build with the package trait Browse")
        }

        func stop() {}
    }
#endif
