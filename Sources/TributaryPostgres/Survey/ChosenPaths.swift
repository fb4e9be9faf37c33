import TributaryImport

/// Which members of records become columns of a route.
struct ChosenPaths: Sendable {
    /// The paths of the chosen columns; nil for all.
    private let wanted: [[String]]?
    private let flattens: Bool

    init(_ route: ImportRoute) {
        let shaping = route.inference?.shaping ?? route.table?.shaping
        wanted = shaping?.columns?.map(\.path)
        flattens = shaping?.flatten != nil
    }

    /// Whether the members of the objects at a path are columns, or lead to some.
    func opens(_ path: [String]) -> Bool {
        if path.isEmpty { return true }
        guard let wanted else { return flattens }
        return wanted.contains { $0.count > path.count && $0.starts(with: path) }
    }

    /// Whether a path was chosen by name.
    func isChosen(_ path: [String]) -> Bool { wanted?.contains(path) ?? false }

    /// Whether a path becomes a column, or leads to one.
    func leads(to path: [String]) -> Bool { wanted?.contains { $0.starts(with: path) } ?? true }

    /// Whether a path becomes a column.
    func takes(_ path: [String]) -> Bool { wanted.map { $0.contains(path) } ?? true }
}
