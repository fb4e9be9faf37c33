import Foundation

/// The samples of all forms as a drawing, with a row of charts for each form.
struct ProfilePlot {
    private static let stages: [(name: String, colour: String, words: String)] = [
        ("waiting", "#c9ced6", "waiting for records"), ("finding", "#7b61a8", "fetching one object"),
        ("setting", "#d98e32", "finding and setting objects"), ("writing", "#2f6fb0", "writing"),
        ("committing", "#52a372", "committing"), ("indexing", "#b5485d", "building indexes"),
        ("heldBack", "#8a6d3b", "applying repeated keys"), ("telling", "#333333", "notifying other contexts"),
    ]
    private static let size = (width: 1240.0, row: 214.0, chart: 250.0, height: 112.0, gap: 52.0)

    private let runs: [Profile.Run]
    private var parts: [String] = []

    init(_ runs: [Profile.Run]) { self.runs = runs }

    /// The drawing, as SVG.
    var text: String {
        var plot = self
        let size = ProfilePlot.size
        let height = 64 + Double(runs.count) * size.row + 40
        plot.parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(size.width))" height="\(Int(height))" \
            viewBox="0 0 \(Int(size.width)) \(Int(height))" font-family="sans-serif" font-size="12" fill="#222">
            <rect width="100%" height="100%" fill="#fff"/>
            """
        ]
        plot.write(
            24, 32, "Imports of \(grouped(runs.first?.records ?? 0)) users, and how they spend their time", size: 18)
        for (index, run) in runs.enumerated() { plot.draw(run, at: 64 + Double(index) * size.row) }
        plot.legend(at: height - 22)
        return plot.parts.joined(separator: "\n") + "\n</svg>\n"
    }

    private mutating func draw(_ run: Profile.Run, at top: Double) {
        let title =
            "\(run.form.title) — \(number(run.seconds)) s, \(grouped(Int(run.recordsPerSecond))) records a second, "
            + "\(run.peakMemory >> 20) MiB peak"
        write(24, top + 14, title, size: 14, weight: "bold")
        let times = run.samples.map(\.seconds)
        let lines: [(String, [Double])] = [
            ("records a second", rates(run.samples)),
            ("queued for writing, MiB", run.samples.map { Double($0.state.queuedBytes) / 1_048_576 }),
            ("memory, MiB", run.samples.map { Double($0.memory) / 1_048_576 }),
        ]
        for (place, (name, values)) in lines.enumerated() {
            let left = frame(place, top, name, until: run.seconds, most: nice(values.max() ?? 0))
            line(times, values, left, top + 44, run.seconds, nice(values.max() ?? 0))
        }
        let left = frame(3, top, "the writing thread: share of its time", until: run.seconds, most: nil)
        shares(run.samples, left, top + 44, run.seconds)
    }

    /// Records a second, over a twentieth of the run.
    private func rates(_ samples: [ProfileSample]) -> [Double] {
        let reach = max(2, samples.count / 40)
        return samples.indices.map { index in
            let (from, to) = (samples[max(0, index - reach)], samples[min(samples.count - 1, index + reach)])
            let seconds = to.seconds - from.seconds
            return seconds > 0 ? Double(to.state.records - from.state.records) / seconds : 0
        }
    }

    // MARK: Charts

    private mutating func frame(_ place: Int, _ top: Double, _ name: String, until seconds: Double, most: Double?)
        -> Double
    {
        let size = ProfilePlot.size
        let left = 62 + Double(place) * (size.chart + size.gap)
        let bottom = top + 44 + size.height
        write(left, top + 36, name, colour: "#555")
        for share in [0, 0.5, 1.0] {
            let y = bottom - share * size.height
            parts.append(
                "<line x1=\"\(left)\" y1=\"\(y)\" x2=\"\(left + size.chart)\" y2=\"\(y)\" stroke=\"#e3e3e3\"/>")
            let label = most.map { short($0 * share) } ?? "\(Int(share * 100)) %"
            write(left - 6, y + 4, label, colour: "#777", anchor: "end", size: 10)
        }
        write(left, bottom + 14, "0", colour: "#777", size: 10)
        write(left + size.chart, bottom + 14, "\(number(seconds)) s", colour: "#777", anchor: "end", size: 10)
        return left
    }

    private mutating func line(
        _ times: [Double], _ values: [Double], _ left: Double, _ top: Double, _ seconds: Double, _ most: Double
    ) {
        let size = ProfilePlot.size
        let points = zip(times, values).map { time, value in
            "\(rounded(left + time / seconds * size.chart)),\(rounded(top + size.height * (1 - min(1, value / most))))"
        }
        parts.append(
            "<polyline fill=\"none\" stroke=\"#2f6fb0\" stroke-width=\"1.6\" points=\"\(points.joined(separator: " "))\"/>"
        )
    }

    /// Stacked bars: the stages of the writing thread in each interval.
    private mutating func shares(_ samples: [ProfileSample], _ left: Double, _ top: Double, _ seconds: Double) {
        let size = ProfilePlot.size
        let step = max(1, samples.count / 100)
        let chosen = samples.enumerated().filter { $0.offset % step == 0 || $0.offset == samples.count - 1 }.map(
            \.element)
        for (before, after) in zip(chosen, chosen.dropFirst()) where after.seconds > before.seconds {
            let width = (after.seconds - before.seconds) / seconds * size.chart
            let x = left + before.seconds / seconds * size.chart
            var y = top + size.height
            for stage in ProfilePlot.stages {
                let spent = (after.state.stages[stage.name] ?? 0) - (before.state.stages[stage.name] ?? 0)
                let height = min(y - top, max(0, spent / (after.seconds - before.seconds)) * size.height)
                guard height > 0.05 else { continue }
                y -= height
                parts.append(
                    "<rect x=\"\(rounded(x))\" y=\"\(rounded(y))\" width=\"\(rounded(width + 0.3))\" "
                        + "height=\"\(rounded(height))\" fill=\"\(stage.colour)\"/>")
            }
        }
    }

    private mutating func legend(at y: Double) {
        var x = 24.0
        let seen = Set(runs.flatMap { $0.samples.last?.state.stages.filter { $0.value > 0 }.map(\.key) ?? [] })
        for stage in ProfilePlot.stages where seen.contains(stage.name) {
            parts.append(
                "<rect x=\"\(x)\" y=\"\(y - 10)\" width=\"12\" height=\"12\" fill=\"\(stage.colour)\"/>")
            write(x + 18, y, stage.words)
            x += 36 + Double(stage.words.count) * 6.4
        }
    }

    // MARK: Words

    private mutating func write(
        _ x: Double, _ y: Double, _ text: String, colour: String = "#222", anchor: String = "start", size: Int = 12,
        weight: String = "normal"
    ) {
        parts.append(
            "<text x=\"\(rounded(x))\" y=\"\(rounded(y))\" fill=\"\(colour)\" text-anchor=\"\(anchor)\" "
                + "font-size=\"\(size)\" font-weight=\"\(weight)\">\(text)</text>")
    }

    private func rounded(_ value: Double) -> String { String(format: "%.1f", value) }
    private func number(_ value: Double) -> String { String(format: "%.2f", value) }

    private func grouped(_ count: Int) -> String {
        var text = ""
        for (place, digit) in String(count).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    private func short(_ value: Double) -> String {
        value >= 10_000
            ? "\(grouped(Int(value / 1000)))k" : value >= 10 ? "\(Int(value))" : String(format: "%.1f", value)
    }

    /// The next round number.
    private func nice(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        let power = pow(10, floor(log10(value)))
        return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].first { $0 * power >= value } ?? 10) * power
    }
}
