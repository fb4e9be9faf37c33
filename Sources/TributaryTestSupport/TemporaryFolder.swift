public import Foundation

/// A folder of a test's own that goes away with it.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes an empty folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tributary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of `name` inside.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file; gives its path.
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    /// The bytes of a file.
    public func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appending(path: name))) }
}
