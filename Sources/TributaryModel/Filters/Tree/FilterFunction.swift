/// A function of the filter language, by its name.
public enum FilterFunction: String, Sendable, Hashable, CaseIterable {
    /// The sum of a collection.
    case sum
    /// The number of elements.
    case count
    /// The least element.
    case min
    /// The greatest element.
    case max
    /// The mean of a collection.
    case average
    /// The element in the middle.
    case median
    /// The elements that come most often.
    case mode
    /// The standard deviation.
    case stddev
    /// The square root.
    case sqrt
    /// The logarithm to the base 10.
    case log
    /// The natural logarithm.
    case ln
    /// The power of e.
    case exp
    /// The whole number below.
    case floor
    /// The whole number above.
    case ceiling
    /// The absolute value.
    case abs
    /// The whole number towards zero.
    case trunc
    /// A random number from 0 to 1, without 1.
    case random
    /// A random whole number from 0 to the argument, without it.
    case randomn
    /// The current moment; one for each evaluation.
    case now
    /// The text in upper case.
    case uppercase
    /// The text in lower case.
    case lowercase
    /// The text without case and diacritics.
    case canonical
    /// The number of Unicode scalars in a text.
    case length
    /// The complement of the bits.
    case onesComplement
    /// The argument; stores should not use an index.
    case noindex

    /// How many arguments it takes.
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
