import TributaryJSON

/// The detected layouts of sources: a line for the first source of each layout.
///
/// A source that is not JSON has no line: the error that follows says what it is.
struct LayoutLines {
    private var stated = 0
    /// The number of sources of each layout.
    private var counts: [String: Int] = [:]

    /// Says the layouts of sources that were not stated yet, and at the end how many others there are.
    mutating func say(_ sources: [SourceReport], isAtEnd: Bool, isQuiet: Bool, on console: inout Console) {
        var lines = sources[min(stated, sources.count)...].compactMap { source in
            guard source.otherFormat == nil else { return nil as String? }
            counts[source.layout, default: 0] += 1
            return counts[source.layout] == 1 ? "\(source)" : nil
        }
        stated = sources.count
        if isAtEnd, let rest { lines.append(rest) }
        if !isQuiet { lines.forEach { console.say($0) } }
    }

    /// The line about all sources that were not named.
    private var rest: String? {
        let others = counts.values.reduce(0) { $0 + $1 - 1 }
        guard others > 0 else { return nil }
        let layouts = counts.count == 1 ? "the same layout" : "one of these layouts"
        return others == 1 ? "1 more file has \(layouts)" : "\(others) more files have \(layouts)"
    }
}
