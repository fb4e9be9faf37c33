public import Foundation

/// Loads the seed files that a `seedUrl` with `http` or `https` names.
///
/// Without a loader such a seed is refused. `NetworkSeedLoader` is one; a program may have its own, for example to send
/// a password:
///
///     struct Intranet: SeedLoader {
///         func load(_ url: URL) throws -> Data { try fetch(url, token: token) }
///     }
public protocol SeedLoader: Sendable {
    /// The bytes of a file, complete.
    ///
    /// - Throws: Any error, whose description becomes part of a `SeedError`.
    func load(_ url: URL) throws -> Data
}
