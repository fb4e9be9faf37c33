import TributaryConcurrency
import TributaryPlatform

/// A network between clients and a server on this computer, which tests can cut and stall.
///
/// Each connection has two threads, one for each direction. It stops with this object.
public final class PostgresProxy: Sendable {
    /// A direction of the bytes.
    public enum Direction: Sendable, CaseIterable {
        /// From clients to the server.
        case toServer
        /// From the server to clients.
        case toClient
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        /// The sockets of each connection.
        var links: [Int: (client: Int32, server: Int32, openEnds: Int)] = [:]
        var nextLink = 0
        var forwarded: [Direction: Int] = [:]
        /// The number of bytes after which all connections are cut.
        var budgets: [Direction: Int] = [:]
        var isStalled = false
        var isRefusing = false
        /// How many times all connections were cut.
        var cuts = 0
    }

    /// The port for clients.
    public let port: UInt16
    private let target: UInt16
    private let listener: Int32
    private let monitor = Monitor(State())

    /// Starts a proxy to a server on `target`, a port of this computer.
    public init(to target: UInt16) throws {
        self.target = target
        listener = PostgresProxy.socket()
        var address = PostgresProxy.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound, listen(listener, 64) == 0 else {
            throw Failure(description: "no port can be opened: \(String(cString: strerror(errno)))")
        }
        try WorkerThread.start { [monitor] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                PostgresProxy.connect(client, target, monitor)
            }
        }
    }

    deinit {
        monitor.update { state in
            state.isStalled = false
            state.isRefusing = true
            PostgresProxy.cut(&state)
        }
        // `accept` returns with an error.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    // MARK: Faults

    /// Cuts all connections; new ones are accepted.
    public func cutAll() { monitor.update { PostgresProxy.cut(&$0) } }

    /// Cuts all connections, and each new one at once.
    public func refuse() {
        monitor.update { state in
            state.isRefusing = true
            PostgresProxy.cut(&state)
        }
    }

    /// Lets `count` more bytes through, then cuts all connections.
    ///
    /// With 0, the first byte in this direction cuts them: `.toServer` loses a statement, and `.toClient` its answer.
    public func cut(_ direction: Direction, after count: Int) {
        monitor.update { $0.budgets[direction] = count }
    }

    /// Holds all bytes back until `resume`.
    public func stall() { monitor.update { $0.isStalled = true } }

    /// Ends all faults; connections that were cut stay cut.
    public func resume() {
        monitor.update { state in
            state.isStalled = false
            state.isRefusing = false
            state.budgets = [:]
        }
    }

    // MARK: What has happened

    /// The number of bytes that were let through.
    public func forwardedBytes(_ direction: Direction) -> Int { monitor.read { $0.forwarded[direction] ?? 0 } }

    /// How many times all connections were cut.
    public var cutCount: Int { monitor.read(\.cuts) }

    /// Waits until `count` bytes in all were let through.
    public func waitForBytes(_ direction: Direction, _ count: Int) {
        monitor.wait { state in (state.forwarded[direction] ?? 0) >= count ? () : nil }
    }

    // MARK: Connections

    private static func connect(_ client: Int32, _ target: UInt16, _ monitor: Monitor<State>) {
        let server = socket()
        var address = loopback(target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Self.connect(server, address)
            }
        }
        let link = monitor.update { state -> Int? in
            guard isConnected, !state.isRefusing else { return nil }
            state.nextLink += 1
            state.links[state.nextLink] = (client, server, 2)
            return state.nextLink
        }
        guard let link else {
            close(client)
            close(server)
            return
        }
        for (direction, source, sink) in [(Direction.toServer, client, server), (.toClient, server, client)] {
            do {
                try WorkerThread.start { forward(direction, source, sink, monitor, link) }
            } catch {
                endOne(link, monitor)
            }
        }
    }

    private static func connect(_ server: Int32, _ address: UnsafePointer<sockaddr>) -> Bool {
        #if canImport(Glibc)
            Glibc.connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        #elseif canImport(Musl)
            Musl.connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        #else
            Darwin.connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        #endif
    }

    /// Moves the bytes of one direction until one side ends.
    private static func forward(
        _ direction: Direction, _ source: Int32, _ sink: Int32, _ monitor: Monitor<State>, _ link: Int
    ) {
        defer { endOne(link, monitor) }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let allowed = monitor.wait { state -> Int? in
                if state.isStalled { return nil }
                let allowed = min(count, state.budgets[direction] ?? count)
                if state.budgets[direction] != nil { state.budgets[direction, default: 0] -= allowed }
                return allowed
            }
            var sent = 0
            while sent < allowed {
                let part = buffer[sent..<allowed].withUnsafeBytes { send(sink, $0.baseAddress, $0.count, flags) }
                guard part > 0 else { return }
                sent += part
            }
            monitor.update { state in
                state.forwarded[direction, default: 0] += allowed
                if allowed < count { cut(&state) }
            }
        }
    }

    /// Ends one direction of a connection, which ends the other one; the last of both closes the sockets.
    private static func endOne(_ link: Int, _ monitor: Monitor<State>) {
        monitor.update { state in
            guard var ends = state.links[link] else { return }
            shutDown(ends.client, ends.server)
            ends.openEnds -= 1
            state.links[link] = ends.openEnds > 0 ? ends : nil
            if ends.openEnds == 0 {
                close(ends.client)
                close(ends.server)
            }
        }
    }

    /// Cuts all connections; the threads close the sockets, which they use.
    private static func cut(_ state: inout State) {
        state.isStalled = false
        state.cuts += 1
        for link in state.links.values { shutDown(link.client, link.server) }
    }

    private static func shutDown(_ client: Int32, _ server: Int32) {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    private static func socket() -> Int32 {
        #if canImport(Glibc)
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #elseif canImport(Musl)
            Musl.socket(AF_INET, SOCK_STREAM, 0)
        #else
            Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Darwin)
        private static let flags: Int32 = 0
    #else
        private static let flags = Int32(MSG_NOSIGNAL)
    #endif
}
