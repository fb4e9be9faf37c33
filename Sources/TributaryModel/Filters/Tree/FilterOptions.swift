/// Options for comparing text; ignored for other values.
public struct FilterOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Options by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `[c]`: case is ignored.
    public static let caseInsensitive = FilterOptions(rawValue: 1)
    /// `[d]`: diacritics are ignored.
    public static let diacriticInsensitive = FilterOptions(rawValue: 2)
    /// `[n]`: the text is normalized already; other options are ignored.
    public static let normalized = FilterOptions(rawValue: 4)
    /// `[l]`: accepted without effect, because filters do not depend on the locale.
    public static let localeSensitive = FilterOptions(rawValue: 8)

    static let letters: [(Character, FilterOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    /// The options as text after an operator, such as `[cd]`; empty if there are none.
    var text: String {
        let letters = String(Self.letters.filter { contains($0.1) }.map(\.0))
        return letters.isEmpty ? "" : "[\(letters)]"
    }

    /// The options that fold the text before it is compared.
    package var folding: FilterOptions {
        contains(.normalized) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
    }
}
