public import Foundation
import TributaryConcurrency
import TributaryPlatform

/// A server of files over HTTP on a port of this computer, which stops with this object.
public final class LoopbackServer: Sendable {
    /// What the server answers.
    public enum Answer: Sendable {
        /// The complete file.
        case file(String)
        /// The file, of which the header announces more bytes than follow.
        case cutOff(String)
        /// Another address.
        case redirection(String)
        /// The file does not exist.
        case missing
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private let port: UInt16

    /// Starts a server, which gives `answer` the path of each request.
    public init(_ answer: @escaping @Sendable (String) -> Answer) throws {
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
        try WorkerThread.start {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                LoopbackServer.respond(on: connection, answer)
                close(connection)
            }
        }
    }

    deinit {
        // `accept` returns with an error.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// The address of a path.
    public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The address of a path as a URL.
    public func url(_ path: String) throws -> URL {
        guard let url = URL(string: address(path)) else { throw Failure(description: "\(path) is not a path") }
        return url
    }

    /// An address on which no server listens.
    public static func deadAddress() throws -> String { try LoopbackServer { _ in .missing }.address("/") }

    private static func respond(on connection: Int32, _ answer: (String) -> Answer) {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer[..<count]
        }
        let words = String(decoding: request, as: UTF8.self).split(separator: " ")
        let text =
            switch answer(words.count > 1 ? String(words[1]) : "/") {
            case .file(let body): head("200 OK", body.utf8.count) + body
            case .cutOff(let body): head("200 OK", body.utf8.count + 1000) + body
            case .redirection(let target): head("302 Found", 0, "Location: \(target)\r\n")
            case .missing: head("404 Not Found", 0)
            }
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return }
            sent += count
        }
    }

    #if canImport(Darwin)
        private static let flags: Int32 = 0
    #else
        private static let flags = Int32(MSG_NOSIGNAL)
    #endif

    private static func head(_ status: String, _ length: Int, _ more: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\nConnection: close\r\n\(more)\r\n"
    }
}
