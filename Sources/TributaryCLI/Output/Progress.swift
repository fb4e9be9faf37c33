import TributaryImport
import TributaryJSON

/// The progress of a run as text: records, rate, share of the input, and remaining time.
package struct Progress {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private let totalBytes: Int?

    /// `totalBytes` is the size of the input as it is stored, if that is known.
    init(totalBytes: Int?) {
        start = clock.now
        last = start
        self.totalBytes = totalBytes
    }

    /// A line, ten times a second at most; nil in between.
    mutating func line(records: Int, rejects: Int, bytes: Int, storedBytes: Int) -> String? {
        let now = clock.now
        guard now - last > .milliseconds(100) else { return nil }
        last = now
        let seconds = (now - start) / Duration.seconds(1)
        var text = "\(FigureText.grouped(records)) records"
        if rejects > 0 { text += ", \(FigureText.grouped(rejects)) rejected" }
        text += ", \(Int(Double(bytes) / seconds / 1e6)) MB/s"
        if let totalBytes, totalBytes > 0, storedBytes > 0 {
            let share = min(1, Double(storedBytes) / Double(totalBytes))
            text += ", \(Int(share * 100)) %, \(FigureText.time(seconds / share - seconds)) left"
        }
        return text
    }
}

extension [any ByteSource] {
    /// The size of the sources as they are stored; nil if there is a pipe.
    var storedBytes: Int? {
        let sizes = compactMap(\.byteCount)
        return sizes.count == count ? sizes.reduce(0, +) : nil
    }
}
