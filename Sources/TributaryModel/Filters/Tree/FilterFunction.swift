/// A function of the filter language, by its name.
public enum FilterFunction: String, Sendable, Hashable, CaseIterable {
    /// The sum of a collection.
    case sum
    /// The number of elements.
    case count
    /// The minimum of a collection.
    case min
    /// The maximum of a collection.
    case max
    /// The mean of a collection.
    case average
    /// The median of a collection.
    case median
    /// The most frequent elements.
    case mode
    /// The standard deviation.
    case stddev
    /// The square root.
    case sqrt
    /// The logarithm to the base 10.
    case log
    /// The natural logarithm.
    case ln
    /// The exponential function, the power of e.
    case exp
    /// The number rounded down.
    case floor
    /// The number rounded up.
    case ceiling
    /// The absolute value.
    case abs
    /// The number rounded towards zero.
    case trunc
    /// A random number from 0 up to, but not including, 1.
    case random
    /// A random whole number from 0 up to, but not including, the argument.
    case randomn
    /// The current date; the same throughout one evaluation.
    case now
    /// The text in upper case.
    case uppercase
    /// The text in lower case.
    case lowercase
    /// The text without case and diacritics.
    case canonical
    /// The number of Unicode scalars in a text.
    case length
    /// The bitwise complement.
    case onesComplement
    /// The argument, with the hint that the store should not use an index.
    case noindex

    /// The number of arguments.
    public var arguments: ClosedRange<Int> {
        switch self {
        case .now, .random: 0...0
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev: 1...Int.max
        default: 1...1
        }
    }

    /// The functions by their names in lower case, without a colon at the end.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })
}
