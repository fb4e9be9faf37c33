import Foundation
import TributaryImport
import TributaryJSON

/// Reading of profiles from files.
enum ProfileFile {
    /// Reads a profile that `inspect --json` has printed.
    static func read(_ path: String) throws -> DumpProfile {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw JSONError(.sourceOpen, "\(Excerpt.escape(path)): the profile cannot be read")
        }
        return try ProfileCoding.decode(Array(data), from: Excerpt.escape(path))
    }
}
