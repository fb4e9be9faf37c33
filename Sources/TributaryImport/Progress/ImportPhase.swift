/// The current work of an import.
public struct ImportPhase: Sendable, Hashable, CustomStringConvertible {
    /// The phase in words.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// It has not begun.
    public static let waiting = ImportPhase("waiting")
    /// Records are read and written.
    public static let reading = ImportPhase("reading")
    /// The indexes of tables that were empty are built.
    public static let buildingIndexes = ImportPhase("building indexes")
    /// The rows of tables that were empty are moved there.
    public static let publishing = ImportPhase("publishing")
    /// Records with repeated keys that a load has held back are applied.
    public static let applyingRepeatedKeys = ImportPhase("applying repeated keys")
    /// Rejected records are imported again.
    public static let retrying = ImportPhase("retrying")
    /// It has ended.
    public static let finished = ImportPhase("finished")

    /// The stage of the writing thread in this phase.
    var stage: ImportMeasures.Stage {
        switch self {
        case .buildingIndexes, .publishing: .indexing
        case .applyingRepeatedKeys: .heldBack
        default: .writing
        }
    }
}
