/// How text is compared; ignored for everything else.
public struct FilterOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Options by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `[c]`: upper and lower case are the same.
    public static let caseInsensitive = FilterOptions(rawValue: 1)
    /// `[d]`: letters with and without marks are the same.
    public static let diacriticInsensitive = FilterOptions(rawValue: 2)
    /// `[n]`: the text is normalised already; no other option is applied to it.
    public static let normalized = FilterOptions(rawValue: 4)
    /// `[l]`: kept, but without effect: a filter gives the same result in every locale.
    public static let localeSensitive = FilterOptions(rawValue: 8)

    static let letters: [(Character, FilterOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    /// The options as they stand behind an operator, `[cd]`; empty if there are none.
    var text: String {
        let letters = String(Self.letters.filter { contains($0.1) }.map(\.0))
        return letters.isEmpty ? "" : "[\(letters)]"
    }

    /// What changes the text before it is compared.
    package var folding: FilterOptions {
        contains(.normalized) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
    }
}
