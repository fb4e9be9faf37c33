import TributaryImport

/// A profile as one page of HTML, without a script and without anything that is loaded.
struct ProfilePage {
    private let findings: ProfileFindings
    private let words: ProfileWords
    private let importLine: String?
    private var profile: DumpProfile { findings.profile }

    /// The parts into which a distribution is divided.
    private static let bars = 24
    /// The most paths that have a section of their own.
    private static let mostSections = 500

    init(_ findings: ProfileFindings, _ words: ProfileWords, importLine: String?) {
        (self.findings, self.words, self.importLine) = (findings, words, importLine)
    }

    /// The text of the page.
    var html: String {
        let rows = ProfileRow.all(of: profile)
        let title = "What is in \(names)"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(ProfilePage.escape(title))</title>
            <style>\(PageStyle.css)</style>
            </head>
            <body>
            <a class="skip" href="#paths">Skip to the paths</a>
            <header>
            <h1>\(ProfilePage.escape(title))</h1>
            \(summary)
            </header>
            <main>
            \(notes)
            <section>
            <h2 id="paths">Paths</h2>
            <div class="wide" role="region" aria-labelledby="paths" tabindex="0">
            <table>
            <caption>Every path of the records, in the order of their first values</caption>
            <thead><tr><th scope="col">Path</th><th scope="col" class="number">Filled</th><th scope="col">Kind</th>\
            <th scope="col" class="number extra">Different</th><th scope="col" class="extra">Spread</th>\
            <th scope="col">Values</th></tr></thead>
            <tbody>
            \(rows.enumerated().map { row($0.element, $0.offset) }.joined(separator: "\n"))
            </tbody>
            </table>
            </div>
            </section>
            \(rows.prefix(ProfilePage.mostSections).enumerated().map { section($0.element, $0.offset) }.joined())
            </main>
            <footer><p>Made by tributary inspect. A number after ~ is an estimate.</p></footer>
            </body>
            </html>

            """
    }

    private var names: String {
        let names = profile.sources.map(\.name)
        return names.count == 1 ? names[0] : "\(names.count) files"
    }

    // MARK: Head

    private var summary: String {
        var items = [
            (profile.isOfRows ? "Rows" : "Records", FigureText.grouped(profile.recordCount))
        ]
        if !profile.isOfRows { items.append(("Size", ProfileReport.size(profile.bytes))) }
        if let layout = profile.sources.first?.layout { items.append((profile.isOfRows ? "Of" : "Layout", layout)) }
        if !profile.isWhole { items.append(("Read", profile.damage.end ?? "only a part")) }
        if profile.damage.count > 0 {
            items.append(
                ("Damaged", "\(FigureText.grouped(profile.damage.count)) (\(ProfileReport.size(profile.damage.bytes)))")
            )
        }
        if !profile.outside.isEmpty {
            items.append(("Also there", profile.outside.values.prefix(8).map(\.description).joined(separator: " · ")))
        }
        let list = items.map { "<div><dt>\($0.0)</dt><dd>\(ProfilePage.escape($0.1))</dd></div>" }.joined()
        let line = importLine.map { "<p>To import it:</p><pre><code>\(ProfilePage.escape($0))</code></pre>" } ?? ""
        return "<dl class=\"facts\">\(list)</dl>\(line)"
    }

    private var notes: String {
        let notes = findings.notes + profile.damage.first
        guard !notes.isEmpty else { return "" }
        let items = notes.map { "<li>\(ProfilePage.escape($0))</li>" }.joined()
        return "<section aria-labelledby=\"notes\"><h2 id=\"notes\">Remarkable</h2><ul>\(items)</ul></section>"
    }

    // MARK: Paths

    private func row(_ row: ProfileRow, _ index: Int) -> String {
        let different = findings.different(row)
        let remarks = findings.remarks(row.path).map { "<b>\(ProfilePage.escape($0))</b>" }
        let values = remarks + [words.values(row)].filter { !$0.isEmpty }.map(ProfilePage.escape)
        let name =
            index < ProfilePage.mostSections
            ? "<a href=\"#p\(index)\">\(ProfilePage.escape(row.name))</a>" : ProfilePage.escape(row.name)
        return """
            <tr><th scope="row">\(name)</th>\
            <td class="number">\(FigureText.percent(row.filled.count, of: row.filled.of))</td>\
            <td class="kind">\(ProfilePage.escape(ProfileWords.kind(row)))</td><td class="number extra">\(different)</td>\
            <td class="extra">\(chart(row, width: 96, height: 20))</td><td>\(values.joined(separator: " · "))</td></tr>
            """
    }

    private func section(_ row: ProfileRow, _ index: Int) -> String {
        var facts = [
            (
                "Kinds",
                ProfileWords.kinds(row.profile).map { "\($0.word) \(FigureText.grouped($0.found.count))" }
                    .joined(separator: ", ")
            ),
            ("Filled", "\(FigureText.grouped(row.filled.count)) of \(FigureText.grouped(row.filled.of))"),
        ]
        if row.profile[.null].count > 0 { facts.append(("null", FigureText.grouped(row.profile[.null].count))) }
        if let numbers = row.profile.values?.numbers, !words.hidesValues { facts += ProfilePage.facts(numbers) }
        if let texts = row.profile.values?.texts { facts += self.facts(texts) }
        if let sizes = row.arrays?.sizes ?? row.profile.sizes {
            facts.append(("Elements", "\(FigureText.grouped(sizes.least)) to \(FigureText.grouped(sizes.most)) each"))
        }
        let remarks = findings.remarks(row.path)
        if !remarks.isEmpty { facts.append(("Found", remarks.joined(separator: ", "))) }
        let list = facts.filter { !$0.1.isEmpty }
            .map { "<div><dt>\($0.0)</dt><dd>\(ProfilePage.escape($0.1))</dd></div>" }.joined()
        return """
            <section class="path" aria-labelledby="p\(index)">
            <h3 id="p\(index)">\(ProfilePage.escape(row.name))</h3>
            <dl class="facts">\(list)</dl>
            \(chart(row, width: 480, height: 72))
            \(common(row))
            </section>

            """
    }

    private static func facts(_ numbers: NumberProfile) -> [(String, String)] {
        var facts = [
            ("Lowest", ProfileWords.grouped(numbers.minimum)), ("Highest", ProfileWords.grouped(numbers.maximum)),
        ]
        if let middle = numbers.quantile(0.5), middle.isFinite {
            facts.append(("Median", "~\(ProfileWords.short(middle))"))
        }
        if let mean = numbers.mean, mean.isFinite { facts.append(("Mean", "~\(ProfileWords.short(mean))")) }
        return facts
    }

    private func facts(_ texts: TextProfile) -> [(String, String)] {
        var facts = [("Characters", "\(FigureText.grouped(texts.shortest)) to \(FigureText.grouped(texts.longest))")]
        let shapes = TextShape.allCases.filter { $0 != .plain && texts.count(of: $0) > 0 }
            .map { "\($0.words) \(FigureText.grouped(texts.count(of: $0)))" }
        if !shapes.isEmpty { facts.append(("Look like", shapes.joined(separator: ", "))) }
        if !words.hidesValues, let first = texts.first, let last = texts.last {
            facts += [("First", ProfileWords.shown(first, 60)), ("Last", ProfileWords.shown(last, 60))]
        }
        return facts
    }

    /// A table of the most common values.
    private func common(_ row: ProfileRow) -> String {
        guard !words.hidesValues, let values = row.profile.values, values.different.estimate > 1 else { return "" }
        let common = values.common(max(words.top, 10))
        guard let most = common.first?.share, values.different.hasRepeats else { return "" }
        let rows = common.map { item in
            let share = (item.isExact ? "" : "~") + ProfileWords.percent(item.share)
            return """
                <tr><th scope="row">\(ProfilePage.escape(ProfileWords.shown(item.value, 60)))</th><td class="number">\(share)</td>\
                <td><svg width="120" height="10" role="img" aria-label="\(share)">\
                <rect class="bar" width="\(max(1, Int(item.share / most * 120)))" height="10"/></svg></td></tr>
                """
        }
        return """
            <table class="common"><caption>Most common values</caption>
            <thead><tr><th scope="col">Value</th><th scope="col" class="number">Share</th><th scope="col">Bar</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table>
            """
    }

    /// Bars of a distribution; nothing if there is none.
    private func chart(_ row: ProfileRow, width: Int, height: Int) -> String {
        let counts = ProfileTable.distribution(row, ProfilePage.bars)
        guard let highest = counts.max(), highest > 0 else { return "" }
        let step = Double(width) / Double(counts.count)
        let bars = counts.enumerated().map { index, count in
            let size = count > 0 ? max(1, count / highest * Double(height)) : 0
            return """
                <rect class="bar" x="\(ProfilePage.short(Double(index) * step))" y="\(ProfilePage.short(Double(height) - size))" \
                width="\(ProfilePage.short(step - 1))" height="\(ProfilePage.short(size))"/>
                """
        }
        let text = ProfilePage.escape("Distribution of \(row.name)")
        return """
            <svg class="chart" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img" \
            aria-label="\(text)">\(bars.joined())</svg>
            """
    }

    private static func short(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

    /// Text with the characters escaped that HTML has a meaning for.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
