/// A limit beyond which an import fails: the rejects that it tolerates, or the rows that a sync may delete.
public enum ErrorLimit: Sendable, Hashable, CustomStringConvertible {
    /// A number of records or rows.
    case count(Int)
    /// A percentage: of the records read, which is checked at each commit after a thousand records, and at the end; or of
    /// the rows of an entity.
    case percent(Double)

    /// Parses `100` or `2.5%`; nil for anything else.
    public init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let value = Double(text.dropLast()), (0...100).contains(value) else { return nil }
            self = .percent(value)
        } else {
            guard let value = Int(text), value >= 0 else { return nil }
            self = .count(value)
        }
    }

    /// The text that `init(_:)` parses.
    public var description: String {
        switch self {
        case .count(let number): "\(number)"
        case .percent(let share): "\(share)%"
        }
    }

    /// Whether `rejected` of `read` records exceed the limit.
    package func isExceeded(by rejected: Int, of read: Int, isAtEnd: Bool) -> Bool {
        switch self {
        case .count(let number): rejected > number
        case .percent(let share): (isAtEnd || read >= 1000) && Double(rejected) * 100 > share * Double(read)
        }
    }
}
