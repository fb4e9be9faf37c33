/// How much is kept at each path: the more values there are, the less.
///
/// The memory of a profile is bounded by the number of values that all paths keep together. When they are more, each path
/// keeps half as many. As a part of a dump has fewer values than the whole, no part needs less than what is kept in the
/// end, and the parts may be profiled in any order.
final class Resolution {
    /// The most values that a path keeps.
    @exclusivity(unchecked) private(set) var values = Resolution.most
    /// The values that all paths keep.
    @exclusivity(unchecked) var kept = 0

    /// Whether many members are the keys of a dictionary.
    let findsDictionaries: Bool

    /// The most values that a path keeps at first.
    static let most = 1024
    /// The most values that all paths keep together.
    static let mostKept = 256 << 10
    static let least = 16

    /// The most ranges of a histogram.
    var ranges: Int { values * 2 }
    /// The most values of a sample.
    var sampled: Int { max(16, values / 4) }

    /// Whether each path must keep fewer values.
    var isExceeded: Bool { kept > Resolution.mostKept && values > Resolution.least }

    func halve() { values /= 2 }

    /// A resolution at which paths keep at most this many values.
    init(values: Int = Resolution.most, findsDictionaries: Bool = true) {
        (self.values, self.findsDictionaries) = (values, findsDictionaries)
    }
}
