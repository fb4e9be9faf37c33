import TributaryImport
import TributaryStore

/// The columns of a profile as its page shows them.
struct ProfileColumns {
    private static let chart = (width: 480.0, height: 72.0)
    private static let smallChart = (width: 160.0, height: 24.0)

    private let name: String
    private let filter: Filter?
    private let profile: RowProfile
    private let words = ProfileWords(hidesValues: false, top: 10)

    /// The columns of the rows of an entity for which a filter is true.
    init(_ name: String, _ filter: Filter?, _ profile: RowProfile) {
        (self.name, self.filter, self.profile) = (name, filter, profile)
    }

    /// The columns with everything that is known of them.
    var values: [PageValues] {
        profile.columns.enumerated().map { index, column in
            [
                "id": .text("column-\(index)"), "column": .text(column.name),
                "kind": .text(column.row.map(ProfileWords.kind) ?? ""),
                "different": .text(
                    column.row?.profile.values.map { ProfileWords.different($0.different) } ?? ""),
                "filled": .text(FigureText.percent(column.filled.count, of: profile.rowCount)),
                "empties": .list(column.empty.count > 0 ? [part(column.empty)] : []),
                "facts": .list(column.row.map { facts($0.profile) } ?? []),
                "charts": .list(chart(column.ranges, ProfileColumns.chart).map { [$0] } ?? []),
                "commons": .list(isCommon(column, 50) ? common(column.values, 10).map { [$0] } ?? [] : []),
            ]
        }
    }

    /// The columns in short, beside a list.
    var summaries: [PageValues] {
        profile.columns.map { column in
            let commons = isCommon(column, 4)
            return [
                "column": .text(column.name),
                "filled": .text(
                    column.empty.count > 0 ? FigureText.percent(column.filled.count, of: profile.rowCount) : ""),
                "text": .text(column.row.map { ProfileWords.kind($0) } ?? ""),
                "charts": .list(commons ? [] : chart(column.ranges, ProfileColumns.smallChart).map { [$0] } ?? []),
                "commons": .list(commons ? common(column.values, 3).map { [$0] } ?? [] : []),
            ]
        }
    }

    /// Whether the most common value is worth showing: beside ranges it needs a share of the rows.
    private func isCommon(_ column: RowProfile.Column, _ share: Int) -> Bool {
        column.ranges.isEmpty || column.values.first.map { $0.count * share > profile.rowCount } ?? false
    }

    // MARK: Parts

    /// A part with the address of the list of its rows.
    private func part(_ part: RowPart) -> PageValues {
        let filters = [filter, part.filter].compactMap(\.self)
        return [
            "label": .text(
                part.label.isEmpty ? "\"\"" : part.label.count > 80 ? part.label.prefix(79) + "…" : part.label),
            "count": .text(FigureText.grouped(part.count)),
            "share": .text(FigureText.percent(part.count, of: profile.rowCount)),
            "address": .text(
                part.filter == nil
                    ? "" : PageRequest.address(["e", name], [("where", Filter.and(filters).description)])),
        ]
    }

    /// Bars of ranges, which are as high as they have rows.
    private func chart(_ ranges: [RowPart], _ size: (width: Double, height: Double)) -> PageValues? {
        guard let highest = ranges.map(\.count).max(), highest > 0 else { return nil }
        let step = size.width / Double(ranges.count)
        let bars = ranges.enumerated().map { index, range in
            let height = range.count > 0 ? max(1.5, Double(range.count) / Double(highest) * size.height) : 0
            var values = part(range)
            values["x"] = .text(short(Double(index) * step))
            values["y"] = .text(short(size.height - height))
            values["width"] = .text(short(max(1, step - 1)))
            values["height"] = .text(short(height))
            return values
        }
        return [
            "bars": .list(bars), "viewBox": .text("0 0 \(short(size.width)) \(short(size.height))"),
            "chartHeight": .text(short(size.height)), "low": .text(ranges.first?.label ?? ""),
            "high": .text(ranges.last?.label ?? ""),
        ]
    }

    /// Bars of the most common values, which are as long as they have rows.
    private func common(_ values: [RowPart], _ count: Int) -> PageValues? {
        guard let most = values.first?.count, most > 0 else { return nil }
        let rows = values.prefix(count).map { value in
            var row = part(value)
            row["length"] = .text(short(max(1, Double(value.count) / Double(most) * 100)))
            return row
        }
        return ["rows": .list(rows)]
    }

    private func short(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

    // MARK: Facts

    private func facts(_ profile: PathProfile) -> [PageValues] {
        var facts: [(String, String)] = []
        if profile.type == .mixed {
            facts += ProfileWords.kinds(profile).map { ($0.word, FigureText.grouped($0.found.count)) }
        }
        if let numbers = profile.values?.numbers {
            facts += [
                ("lowest", ProfileWords.grouped(numbers.minimum)), ("highest", ProfileWords.grouped(numbers.maximum)),
            ]
            for (name, share) in [("quarter below", 0.25), ("median", 0.5), ("quarter above", 0.75)] {
                if let value = numbers.quantile(share), value.isFinite {
                    facts.append((name, "~\(ProfileWords.short(value))"))
                }
            }
            if let mean = numbers.mean, mean.isFinite { facts.append(("mean", "~\(ProfileWords.short(mean))")) }
        }
        if let texts = profile.values?.texts {
            if let first = texts.first, let last = texts.last {
                facts += [("first", ProfileWords.shown(first, 40)), ("last", ProfileWords.shown(last, 40))]
            }
            let (low, high) = (FigureText.grouped(texts.shortest), FigureText.grouped(texts.longest))
            facts.append(("characters", low == high ? low : "\(low) to \(high)"))
        }
        if let sizes = profile.sizes {
            facts.append(("elements", "\(FigureText.grouped(sizes.least)) to \(FigureText.grouped(sizes.most))"))
        }
        return facts.map { ["fact": .text($0.0), "value": .text($0.1)] }
    }
}
