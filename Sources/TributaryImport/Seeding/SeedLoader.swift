public import Foundation

/// Loads the seed files that a `seedUrl` with `http` or `https` names.
///
/// Without a loader such a seed is refused. One with `URLSource` of the library `TributaryHTTP`:
///
///     struct Web: SeedLoader {
///         func load(_ url: URL) throws -> Data { Data(try URLSource(url.absoluteString).bytes(upTo: 16 << 20)) }
///     }
public protocol SeedLoader: Sendable {
    /// The bytes of a file, complete.
    ///
    /// - Throws: Any error, whose description becomes part of a `SeedError`.
    func load(_ url: URL) throws -> Data
}
