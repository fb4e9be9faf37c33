/// The current work of an import.
public struct ImportPhase: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
        case waiting, reading, finished, retrying, publishing
        case buildingIndexes = "building indexes"
        case applyingRepeatedKeys = "applying repeated keys"
    }
    private let kind: Kind

    /// It has not begun.
    public static let waiting = ImportPhase(kind: .waiting)
    /// Records are read and written.
    public static let reading = ImportPhase(kind: .reading)
    /// The indexes of tables that were empty are built.
    public static let buildingIndexes = ImportPhase(kind: .buildingIndexes)
    /// The rows of tables that were empty are moved there.
    public static let publishing = ImportPhase(kind: .publishing)
    /// Records with repeated keys that a load has held back are applied.
    public static let applyingRepeatedKeys = ImportPhase(kind: .applyingRepeatedKeys)
    /// Rejected records are imported again.
    public static let retrying = ImportPhase(kind: .retrying)
    /// It has ended.
    public static let finished = ImportPhase(kind: .finished)

    /// The phase in words.
    public var description: String { kind.rawValue }

    /// The stage of the writing thread in this phase.
    var stage: ImportMeasures.Stage {
        switch kind {
        case .waiting, .reading, .retrying, .finished: .writing
        case .buildingIndexes, .publishing: .indexing
        case .applyingRepeatedKeys: .heldBack
        }
    }
}
