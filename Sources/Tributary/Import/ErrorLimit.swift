/// How many rejects an import bears before it gives up.
public enum ErrorLimit: Sendable, Hashable, CustomStringConvertible {
    /// A number of records.
    case count(Int)
    /// A share of the records read, in percent: judged from the thousandth record on each time that something is committed,
    /// and in the end.
    case percent(Double)

    /// `100` or `2.5%`; nil for anything else.
    public init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let value = Double(text.dropLast()), (0...100).contains(value) else { return nil }
            self = .percent(value)
        } else {
            guard let value = Int(text), value >= 0 else { return nil }
            self = .count(value)
        }
    }

    /// As it is written on the command line.
    public var description: String {
        switch self {
        case .count(let number): "\(number)"
        case .percent(let share): "\(share)%"
        }
    }

    /// Whether so many rejects are too many.
    func isExceeded(by rejected: Int, of read: Int, isAtEnd: Bool) -> Bool {
        switch self {
        case .count(let number): rejected > number
        case .percent(let share): (isAtEnd || read >= 1000) && Double(rejected) * 100 > share * Double(read)
        }
    }
}
