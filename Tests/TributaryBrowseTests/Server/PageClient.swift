import Foundation
import TributaryPlatform

/// An answer of the server.
struct PageReply {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A connection to the server that sends any bytes.
final class PageClient {
    struct Failure: Error { let reason: String }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port.
    init(_ port: UInt16) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A server that does not answer fails a test instead of holding it.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let descriptor = descriptor
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw Failure(reason: "connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes; false if the server has closed the connection.
    @discardableResult
    func send(_ text: some Sequence<UInt8>) -> Bool {
        let bytes = Array(text)
        var sent = 0
        while sent < bytes.count {
            #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
            #else
                let flags: Int32 = 0
            #endif
            let count = bytes.withUnsafeBytes { [sent] in
                Foundation.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends lines, each with its end, and an empty one.
    @discardableResult
    func send(lines: [String]) -> Bool { send(lines.map { $0 + "\r\n" }.joined().utf8 + Array("\r\n".utf8)) }

    /// Says that nothing more is sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives more bytes; false at the end.
    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            received += buffer[..<count]
            return true
        }
    }

    /// Whether the server has closed the connection, after all that it has sent.
    func isAtEnd() -> Bool {
        while receive() {}
        return received.isEmpty
    }

    /// The next answer; nil if the connection ends without one.
    func reply(hasBody: Bool = true) throws -> PageReply? {
        let end = Array("\r\n\r\n".utf8)
        var found = received.firstRange(of: end)
        while found == nil {
            guard receive() else {
                guard received.isEmpty else { throw Failure(reason: "the head ends in \(received.count) bytes") }
                return nil
            }
            found = received.firstRange(of: end)
        }
        guard let found else { return nil }
        let lines = String(decoding: received[..<found.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (name: parts[0], value: parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
        }
        received.removeSubrange(..<found.upperBound)
        let length = headers.first { $0.name == "Content-Length" }.flatMap { Int($0.value) }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }), let length else {
            throw Failure(reason: "not an answer: \(lines)")
        }
        guard hasBody else { return PageReply(status: status, headers: headers, body: []) }
        while received.count < length {
            guard receive() else { throw Failure(reason: "the body ends at \(received.count) of \(length)") }
        }
        defer { received.removeSubrange(..<length) }
        return PageReply(status: status, headers: headers, body: Array(received[..<length]))
    }
}
