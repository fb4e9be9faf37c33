import Foundation
import Tributary

/// The file of mappings that `--map` names.
enum MapFile {
    /// The mappings in a file; none without a file.
    ///
    /// - Throws: `UsageError` if it cannot be read, `ImportError` if it is wrong.
    static func read(_ path: String?, for command: CommandSpec) throws -> Mappings {
        guard let path else { return Mappings() }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw UsageError("Option '--map' takes a file, and '\(path)' cannot be read", command: command.name)
        }
        return try Mappings(json: Array(content), from: path)
    }
}
