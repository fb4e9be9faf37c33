/// What became of members that a mapping does not name, or whose values do not fit.
public struct MappingReport: Sendable, Hashable, Codable {
    /// The members that no property has, with the number of records that have them; at most a hundred.
    public internal(set) var unknown: [String: Int] = [:]
    /// The number of further members without a property.
    public internal(set) var otherUnknown = 0
    /// For each property the number of records with two members for it, of which the one with its own name counts.
    public internal(set) var ambiguous: [String: Int] = [:]
    /// For each property the number of values that did not fit, and were left out.
    public internal(set) var unfit: [String: Int] = [:]

    /// The largest number of members in `unknown`.
    static let maximumCount = 100

    /// Whether there is nothing to report.
    public var isEmpty: Bool { unknown.isEmpty && otherUnknown == 0 && ambiguous.isEmpty && unfit.isEmpty }

    /// A report without anything.
    public init() {}

    /// Adds what became of other records.
    mutating func add(_ other: MappingReport) {
        otherUnknown += other.otherUnknown
        for (name, count) in other.unknown.sorted(by: { $0.key < $1.key }) {
            if unknown[name] != nil || unknown.count < MappingReport.maximumCount {
                unknown[name, default: 0] += count
            } else {
                otherUnknown += count
            }
        }
        ambiguous.merge(other.ambiguous, uniquingKeysWith: +)
        unfit.merge(other.unfit, uniquingKeysWith: +)
    }
}
