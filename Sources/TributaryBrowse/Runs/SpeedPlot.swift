import TributaryImport

/// The speed of a running import as a line, with the same figures for a table.
struct SpeedPlot {
    private static let width = 600.0
    private static let height = 120.0

    private let speeds: [(time: Double, speed: Double)]

    /// The records a second at some times.
    init(_ speeds: [(time: Double, speed: Double)]) { self.speeds = speeds }

    /// What the template shows.
    var values: PageValues {
        let (start, end) = (speeds.first?.time ?? 0, speeds.last?.time ?? 0)
        let highest = max(1, speeds.map(\.speed).max() ?? 1)
        let points = speeds.map { point in
            let x = (point.time - start) / max(0.1, end - start) * SpeedPlot.width
            return "\(SpeedPlot.short(x)),\(SpeedPlot.short((1 - point.speed / highest) * SpeedPlot.height))"
        }
        let line = points.joined(separator: " ")
        let (width, height) = (SpeedPlot.short(SpeedPlot.width), SpeedPlot.short(SpeedPlot.height))
        return [
            "line": .text(line), "area": .text("0,\(height) \(line) \(width),\(height)"),
            "highest": .text(FigureText.grouped(Int(highest))),
            "from": .text(FigureText.time(start)), "to": .text(FigureText.time(end)),
            "rows": .list(
                speeds.reversed().map {
                    ["time": .text(FigureText.time($0.time)), "speed": .text(FigureText.grouped(Int($0.speed)))]
                }),
        ]
    }

    private static func short(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
