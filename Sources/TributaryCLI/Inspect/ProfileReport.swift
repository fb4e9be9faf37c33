import TributaryImport

/// The text about a dump: what was read, the table, what is remarkable.
struct ProfileReport {
    private let findings: ProfileFindings
    private let words: ProfileWords
    private let terminal: TerminalText
    private let importLine: String?
    private let limit: Int?
    /// What the model does not hold.
    private let modelNotes: [String]

    /// The report about a profile, and the model that was made of it.
    init(_ profile: DumpProfile, _ command: InspectCommand, _ terminal: TerminalText, _ model: InspectModel?) {
        var profile = profile
        if command.hidesValues { profile.damage.hideValues() }
        findings = ProfileFindings(profile)
        words = ProfileWords(hidesValues: command.hidesValues, top: command.top)
        importLine = ImportLine(findings, command, model).text
        modelNotes = model?.notes ?? []
        limit = command.limit
        self.terminal = terminal
    }

    private var profile: DumpProfile { findings.profile }

    /// The text, with a line feed at the end.
    var text: String {
        var lines = [heading]
        if !profile.isWhole { lines.append(partLine) }
        if !profile.outside.isEmpty {
            let values = profile.outside.values.prefix(8).map(\.description)
            let rest = profile.outside.values.count - values.count + profile.outside.others
            lines.append("also there: " + values.joined(separator: " · ") + (rest > 0 ? " · +\(rest)" : ""))
        }
        lines += damageLines
        let table = ProfileTable(findings, words, terminal).lines
        if !table.isEmpty { lines += [""] + table }
        let notes = findings.notes
        if !notes.isEmpty { lines += [""] + notes }
        if !profile.further.isEmpty {
            lines.append(
                "\(ProfileWords.different(profile.further.paths)) further paths, more than \(profile.further.depth) steps inside or with very long names, are only counted"
                    + (profile.isOfRows ? "; 'tributary inspect DB TABLE' tells those of one table" : ""))
        }
        lines += modelNotes
        if let importLine { lines += ["", importLine] }
        return lines.map { terminal.plain($0) }.joined(separator: "\n") + "\n"
    }

    /// The page of HTML.
    func page() -> String { ProfilePage(findings, words, importLine: importLine).html }

    /// The JSON Schema.
    func schema() -> String { ProfileSchema.text(of: profile, withoutValues: words.hidesValues) }

    /// What differs from an earlier profile, a table or a model.
    func differences(from baseline: InspectBaseline) throws -> [String] {
        try baseline.differences(of: profile, hidesValues: words.hidesValues, findings.place)
    }

    /// What a reader has to know who does not see the text: what was not read, and what a model does not hold.
    var warnings: [String] {
        (profile.damage.end == nil ? [] : [partLine])
            + (damageLines.isEmpty ? [] : [damageLines.joined(separator: "\n")])
            + modelNotes
    }

    private var heading: String {
        if profile.sources.isEmpty { return "nothing was read" }
        let names = profile.sources.map { Excerpt.escape($0.name) }
        let layout = Set(profile.sources.map(\.layout)).count == 1 ? ": \(profile.sources[0].layout)" : ""
        let name = names.count == 1 ? names[0] : "\(names.count) files"
        if profile.isOfRows { return "\(name)\(layout), \(FigureText.counted(profile.recordCount, "row"))" }
        let size =
            profile.storedBytes > profile.bytes - profile.bytes / 10
            ? ProfileReport.size(profile.bytes)
            : "\(ProfileReport.size(profile.bytes)), \(ProfileReport.size(profile.storedBytes)) compressed"
        return "\(name)\(layout), \(FigureText.counted(profile.recordCount, "record")) in \(size)"
    }

    private var partLine: String {
        if let end = profile.damage.end { return "the rest could not be read: \(end)" }
        if let limit, profile.recordCount == limit {
            return
                "only the first \(FigureText.counted(limit, profile.isOfRows ? "row" : "record")) of the input \(limit == 1 ? "was" : "were") read"
        }
        let sizes = profile.sources.compactMap(\.mark?.byteCount)
        guard sizes.count == profile.sources.count, !sizes.isEmpty else { return "only a part was read" }
        let (read, whole) = (ProfileReport.size(profile.storedBytes), ProfileReport.size(sizes.reduce(0, +)))
        return "only a part was read, about \(read) of \(whole)"
    }

    private var damageLines: [String] {
        guard profile.damage.count > 0 else { return [] }
        let shown = profile.damage.first.prefix(3)
        let rest = profile.damage.count - shown.count
        return ["damaged: \(FigureText.grouped(profile.damage.count)) (\(ProfileReport.size(profile.damage.bytes)))"]
            + shown.map { "  \($0)" }
            + (rest > 0 && !shown.isEmpty && !profile.isOfRows
                ? ["  and \(FigureText.grouped(rest)) more; 'tributary records' shows them"] : [])
    }

    /// A number of bytes in words.
    static func size(_ bytes: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (size, unit) = (Double(bytes), 0)
        while size >= 999.5, unit < units.count - 1 { (size, unit) = (size / 1000, unit + 1) }
        return size < 9.95 && unit > 0
            ? "\((size * 10).rounded() / 10) \(units[unit])" : "\(Int(size.rounded())) \(units[unit])"
    }
}
