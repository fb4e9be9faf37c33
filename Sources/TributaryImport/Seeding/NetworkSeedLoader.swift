public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads remote seed files by `URLSession`.
///
/// It sends no cookies, follows at most 5 redirections, none of them from `https` to `http`, and waits on the calling
/// thread.
public struct NetworkSeedLoader: SeedLoader {
    /// The seconds without a byte after which it gives up.
    public var idleTimeout = 30.0
    /// The seconds in which a file must be complete.
    public var timeout = 300.0
    /// The most bytes of a file, which is kept in memory.
    public var maxBytes = 16 << 20

    /// A loader with the default limits.
    public init() {}

    /// Loads a file.
    ///
    /// - Throws: `URLError`, or an error for an answer other than 200, an incomplete file or one that is too large.
    public func load(_ url: URL) throws -> Data {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = idleTimeout
        configuration.timeoutIntervalForResource = timeout
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpShouldSetCookies = false
        let download = SeedDownload(maxBytes: maxBytes)
        let session = URLSession(configuration: configuration, delegate: download, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        session.dataTask(with: url).resume()
        return try download.wait(seconds: timeout)
    }
}
