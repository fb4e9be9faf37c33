import Foundation
import TributaryImport

/// A running import: its figures, and its speed since the page was opened.
///
/// The server keeps nothing between requests: the positions so far are in the address of the part that the page loads
/// again, as `seconds.records_seconds.records`, and each answer adds one.
struct LiveRun {
    /// The records that were read at a time after the beginning of the run, in tenths of a second.
    struct Sample: Equatable {
        var time: Int
        var read: Int
    }

    /// The most positions in an address; of more, each second one is left out.
    static let mostSamples = 120

    private let entry: JournalEntry
    private let isRunning: Bool
    private let isLoading: Bool
    /// The positions, the latest one last.
    let samples: [Sample]

    /// A run whose earlier positions are in a request; `isLoading` tells that its rows appear at its end.
    init(_ entry: JournalEntry, _ request: PageRequest, isRunning: Bool, isLoading: Bool = false) {
        (self.entry, self.isRunning, self.isLoading) = (entry, isRunning, isLoading)
        var samples = LiveRun.samples(request.value("samples") ?? "")
        let moment = entry.moment()
        let now = Sample(time: Int(max(0, moment.seconds) * 10), read: moment.read)
        samples.removeAll { $0.time >= now.time || $0.read > now.read }
        // A run that was not resumed began with nothing.
        if samples.isEmpty, entry.summary.resumedAt == nil { samples.append(Sample(time: 0, read: 0)) }
        if isRunning, samples.last?.time != now.time { samples.append(now) }
        if samples.count > LiveRun.mostSamples {
            let last = samples.count - 1
            samples = samples.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
        }
        self.samples = samples
    }

    /// The positions in a text; what is none of them ends it.
    static func samples(_ text: String) -> [Sample] {
        var samples: [Sample] = []
        for part in text.split(separator: "_").prefix(mostSamples) {
            let numbers = part.split(separator: ".").compactMap { Int($0) }
            guard numbers.count == 2, numbers.allSatisfy({ (0...1 << 53).contains($0) }),
                samples.last.map({ $0.time < numbers[0] && $0.read <= numbers[1] }) ?? true
            else { break }
            samples.append(Sample(time: numbers[0], read: numbers[1]))
        }
        return samples
    }

    /// The text of the positions.
    private var text: String { samples.map { "\($0.time).\($0.read)" }.joined(separator: "_") }

    /// What the templates show.
    var values: PageValues {
        let moment = entry.moment()
        var progress = ImportProgress(totalBytes: entry.totalBytes)
        let first = samples.first ?? Sample(time: 0, read: 0)
        // Bytes are told from the beginning of the run, so they are of use only if that is its first position.
        let isFromStart = first.read == 0 && entry.summary.resumedAt == nil
        _ = progress.figures(
            .init(
                read: first.read, storedBytes: isFromStart ? 0 : entry.storedBytes, seconds: Double(first.time) / 10))
        let figures = progress.figures(moment)
        let (source, number) = entry.currentSource
        let speeds = self.speeds
        let share = entry.totalBytes.map { $0 > 0 ? min(1, Double(entry.storedBytes) / Double($0)) : 1 }
        return [
            "isRunning": .flag(isRunning),
            "run": .number(entry.run),
            "liveAddress": .text(
                isRunning
                    ? PageRequest.address(["runs", "\(entry.run)"], [("part", "live"), ("samples", text)]) : ""),
            "currentSource": .text(source),
            "sourcePlace": .text(
                entry.sourceNames.count > 1 ? "\(number) of \(FigureText.grouped(entry.sourceNames.count))" : ""),
            "isPublishing": .flag(entry.phase == .publishing),
            "isLoading": .flag(isLoading),
            "liveRead": .text(FigureText.grouped(moment.read)),
            "liveRejected": .text(FigureText.grouped(moment.rejected)),
            "liveSpeed": .text((speeds.last?.speed ?? figures.rate).map { FigureText.grouped(Int($0)) } ?? ""),
            "share": .text(share.map { "\(Int($0 * 100)) %" } ?? ""),
            "shareNumber": .text(share.map { "\(Int($0 * 1000))" } ?? ""),
            "left": .text(figures.left.map(FigureText.time) ?? ""),
            "elapsed": .text(FigureText.time(moment.seconds)),
            "plot": .list(speeds.count > 1 ? [SpeedPlot(speeds).values] : []),
        ]
    }

    /// The records a second between two positions, at the time of the later one in seconds.
    private var speeds: [(time: Double, speed: Double)] {
        zip(samples, samples.dropFirst()).map { one, other in
            (Double(other.time) / 10, Double(other.read - one.read) / Double(other.time - one.time) * 10)
        }
    }
}
