import Foundation
import TributaryHTTP
import TributaryImport

/// Loads the remote files of seeds.
struct WebSeedLoader: SeedLoader {
    /// The most bytes of a file, which is kept in memory.
    private static let maxBytes = 16 << 20

    private let settings: URLSource.Settings
    /// The servers that the command line names, which alone get the header with a password.
    private let origins: Set<String>

    init(_ seeds: [String]) throws(UsageError) {
        settings = try WebOptions.settings(for: seeds, isQuiet: true)
        origins = Set(seeds.compactMap { WebAddress($0)?.origin })
    }

    func load(_ url: URL) throws -> Data {
        var settings = settings
        if !origins.contains(WebAddress(url.absoluteString)?.origin ?? "") { settings.authorization = nil }
        return Data(try URLSource(url.absoluteString, settings: settings).bytes(upTo: WebSeedLoader.maxBytes))
    }
}
