/// The place of an object in the results of a ``FetchedResultsController``: its section, and its index in the section.
///
/// `IndexPath` of Foundation has neither on Linux.
public struct ResultsIndexPath: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The index of the section; 0 if the results have no sections.
    public var section: Int
    /// The index in the section.
    public var item: Int

    /// The place with an index in a section.
    public init(section: Int = 0, item: Int) { (self.section, self.item) = (section, item) }

    /// Whether the first place comes before the second one.
    public static func < (one: ResultsIndexPath, other: ResultsIndexPath) -> Bool {
        (one.section, one.item) < (other.section, other.item)
    }

    /// Both indexes: `0.3`.
    public var description: String { "\(section).\(item)" }
}
