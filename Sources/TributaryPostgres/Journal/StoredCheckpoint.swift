import Foundation
import Tributary
import TributaryJSON

/// A checkpoint as text in the journal.
enum StoredCheckpoint {
    /// The text of a checkpoint.
    static func text(_ checkpoint: Checkpoint) -> String {
        guard let data = try? JSONEncoder().encode(checkpoint) else {
            fatalError("internal error: a checkpoint cannot be encoded")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads the text.
    ///
    /// - Throws: `ImportError` if it is none.
    static func checkpoint(_ text: String, run: Int) throws -> Checkpoint {
        guard let checkpoint = try? JSONDecoder().decode(Checkpoint.self, from: Data(text.utf8)) else {
            throw ImportError(
                .journal, "a range of run \(run) of the journal cannot be read",
                hint: "use the version that wrote it, or forget the run")
        }
        return checkpoint
    }
}
