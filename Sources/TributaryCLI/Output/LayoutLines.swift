import TributaryJSON

/// The detected layouts of sources: a line for the first source of each layout.
struct LayoutLines {
    private var stated = 0
    /// The number of sources of each layout.
    private var counts: [String: Int] = [:]

    /// The lines for sources that were not stated yet.
    mutating func next(_ sources: [SourceReport]) -> [String] {
        defer { stated = sources.count }
        return sources[min(stated, sources.count)...].compactMap { source in
            counts[source.layout, default: 0] += 1
            return counts[source.layout] == 1 ? "\(source)" : nil
        }
    }

    /// The line about all sources that were not named.
    var rest: String? {
        let others = counts.values.reduce(0) { $0 + $1 - 1 }
        guard others > 0 else { return nil }
        let layouts = counts.count == 1 ? "the same layout" : "one of these layouts"
        return others == 1 ? "1 more file has \(layouts)" : "\(others) more files have \(layouts)"
    }
}
