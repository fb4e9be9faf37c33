/// A section of the results of a ``FetchedResultsController``: neighbouring objects with one section name.
public struct ResultsSection: Sendable, Hashable {
    /// The name; empty for the value null, and if the results have no sections.
    public let name: String
    /// The title for an index of sections.
    public let indexTitle: String
    /// The positions of its objects among all results.
    public let positions: Range<Int>

    /// The number of its objects.
    public var count: Int { positions.count }

    /// The title of a section unless a closure makes it: the first letter without its marks, in upper case.
    public static func indexTitle(of name: String) -> String {
        guard let first = name.first else { return "" }
        let folded = TextFold.fold(String(first), options: .diacriticInsensitive)
        return folded.prefix(1).uppercased()
    }
}
