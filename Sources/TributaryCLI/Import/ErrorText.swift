import Tributary
import TributaryJSON

/// Errors of the library in the words of the command.
enum ErrorText {
    /// An error, with remedies as options of the command.
    static func of(_ error: any Error) -> String {
        if let error = error as? ImportError, let remedy = error.remedy, let words = words[remedy] {
            return "\(error.reason); \(words)"
        }
        if let error = error as? JSONError, error.code == .sourceChanged {
            return "\(error); use --restart to begin from the start"
        }
        return "\(error)"
    }

    private static let words: [ImportRemedy: String] = [
        .quarantine: "fix the record, or use --on-error quarantine or --rejects FILE to keep such records",
        .raiseErrorLimit: "inspect the rejects, or raise --max-errors",
        .restart: "restore the earlier source, or use --restart to begin from the start",
    ]
}
