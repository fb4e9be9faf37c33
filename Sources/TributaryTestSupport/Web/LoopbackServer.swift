public import Foundation
import TributaryConcurrency
import TributaryPlatform

/// A server of files over HTTP on a port of this computer, which stops with this object.
public final class LoopbackServer: Sendable {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private let port: UInt16
    private let received = Guarded<[LoopbackRequest]>([])

    /// Starts a server, which answers each request on a thread of its own.
    public init(_ answer: @escaping @Sendable (LoopbackRequest) -> LoopbackAnswer) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound, listen(descriptor, 16) == 0 else {
            throw Failure(description: "no port can be opened: \(String(cString: strerror(errno)))")
        }
        let received = received
        try WorkerThread.start {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                let isStarted: Void? = try? WorkerThread.start {
                    LoopbackServer.respond(on: connection) { request in
                        received.withLock { $0.append(request) }
                        return answer(request)
                    }
                    close(connection)
                }
                if isStarted == nil { close(connection) }
            }
        }
    }

    deinit {
        // `accept` returns with an error.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// The requests so far, in their order.
    public var requests: [LoopbackRequest] { received.withLock { $0 } }

    /// The address of a path, with another name of this computer for a server that counts as another one.
    public func address(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    /// The address of a path as a URL.
    public func url(_ path: String) throws -> URL {
        guard let url = URL(string: address(path)) else { throw Failure(description: "\(path) is not a path") }
        return url
    }

    /// An address on which no server listens.
    public static func deadAddress() throws -> String { try LoopbackServer { _ in .missing }.address("/") }

    private static func respond(on connection: Int32, _ answer: (LoopbackRequest) -> LoopbackAnswer) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer[..<count]
        }
        guard let request = LoopbackRequest(String(decoding: bytes, as: UTF8.self)) else { return }
        let answer = answer(request)
        guard send(Array(answer.head.utf8)[...], on: connection) else { return }
        for start in stride(from: 0, to: answer.body.count, by: answer.piece) {
            guard send(answer.body[start..<min(start + answer.piece, answer.body.count)], on: connection) else {
                return
            }
        }
        switch answer.ending {
        case .closed: break
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        case .stalled:
            // The other end closes the connection.
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, on connection: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sendBytes(connection, $0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Calls the function of the system, which the method of the server hides.
private func sendBytes(_ connection: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        send(connection, bytes.baseAddress, bytes.count, 0)
    #else
        send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}
