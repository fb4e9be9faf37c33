public import TributaryJSON

/// The source of rejected records for a retry.
public enum RejectSource: Sendable {
    /// The store, from one run or from all.
    case store(run: Int?)
    /// A file of rejects, as ``Rejects/write(to:run:)`` writes it, perhaps edited.
    case file(FileSource)

    /// The rejects of the store.
    public static let store = RejectSource.store(run: nil)

    /// The name of the source in messages.
    func name(in database: String) -> String {
        switch self {
        case .store: "rejects of \(database)"
        case .file(let file): file.name
        }
    }
}
