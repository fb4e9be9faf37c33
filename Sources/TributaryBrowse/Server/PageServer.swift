/// Serves a site on this computer, to the browser that is given its address.
///
///     let server = try PageServer(site)
///     print(server.address)
///     …
///     server.stop()
package final class PageServer: Sendable {
    /// The port.
    package let port: UInt16
    private let token: AccessToken
    private let daemon: MicrohttpdDaemon

    /// The address to open, which is a secret.
    package var address: String { "http://127.0.0.1:\(port)/?token=\(token.text)" }

    /// Starts to serve on a port of 127.0.0.1, or on a free one for 0.
    ///
    /// - Throws: `ServerError`.
    package init(_ site: any PageSite, port: UInt16 = 0) throws {
        let token = AccessToken()
        daemon = try MicrohttpdDaemon(port: port) { PageService(PageGate(port: $0, token: token), site) }
        (self.port, self.token) = (daemon.port, token)
    }

    /// Closes the port and all connections; returns once the site answers no request any more.
    package func stop() { daemon.stop() }

    deinit { stop() }
}
