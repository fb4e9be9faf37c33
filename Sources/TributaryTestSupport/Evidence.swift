import Foundation

/// Keeps the input of a test that has failed, in the folder that the environment variable `TRIBUTARY_KEEP` names.
public enum Evidence {
    /// Writes `bytes` to the file `name` in that folder, if the variable is set.
    public static func keep(_ bytes: [UInt8], as name: String) {
        guard let folder = ProcessInfo.processInfo.environment["TRIBUTARY_KEEP"] else { return }
        try? Data(bytes).write(to: URL(filePath: folder).appending(path: name))
    }
}
