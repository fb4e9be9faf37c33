import TributaryHTTP
import TributaryTestSupport

/// A server with a script, and a source that does not wait long.
struct WebFile {
    let server: LoopbackServer
    let source: URLSource

    init(_ path: String = "/a.json", _ steps: [WebScript.Step], _ change: (inout URLSource.Settings) -> Void = { _ in })
        throws
    {
        let script = WebScript(steps)
        server = try LoopbackServer { script.answer($0) }
        var settings = URLSource.Settings()
        settings.retryDelay = 0.001
        change(&settings)
        source = try URLSource(server.address(path), settings: settings)
    }

    init(_ steps: WebScript.Step...) throws { try self.init("/a.json", steps) }

    /// All bytes.
    func read() throws -> [UInt8] { try source.bytes(upTo: 1 << 30) }

    /// The error of reading.
    func failure() -> String {
        do {
            return "no error, but \(try read().count) bytes"
        } catch {
            return "\(error)"
        }
    }
}
