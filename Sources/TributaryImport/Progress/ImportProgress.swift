/// The progress of an import as text: records, rate, share of the input, and remaining time.
package struct ImportProgress {
    /// The state of an import at one moment.
    package struct Moment {
        package var read: Int
        package var rejected: Int
        /// The phase of the import.
        package var phase: ImportPhase
        /// Stored bytes read from the sources.
        package var storedBytes: Int
        /// Seconds since the import began here.
        package var seconds: Double

        package init(read: Int, rejected: Int = 0, phase: ImportPhase = .reading, storedBytes: Int = 0, seconds: Double)
        {
            self.read = read
            self.rejected = rejected
            self.phase = phase
            self.storedBytes = storedBytes
            self.seconds = seconds
        }
    }

    private let totalBytes: Int?
    private var first: Moment?
    private var phaseStart: (phase: ImportPhase, seconds: Double)?

    /// `totalBytes` is the size of the sources as they are stored; nil for a pipe.
    package init(totalBytes: Int?) { self.totalBytes = totalBytes }

    /// What the moments so far tell.
    package struct Figures {
        /// Records read in a second; nil if none were read.
        package var rate: Double?
        /// Stored bytes read in a second.
        package var bytesRate = 0.0
        /// The share of the sources that was read, at most 1; nil if their size is unknown.
        package var share: Double?
        /// The remaining seconds; nil if that is unknown, or too early to tell.
        package var left: Double?
    }

    /// The figures of a moment; the first moment is that from which the speed is measured.
    package mutating func figures(_ now: Moment) -> Figures {
        // The counts of a resumed import include earlier runs, which must not affect its rate.
        let first = self.first ?? now
        self.first = first
        var figures = Figures()
        let seconds = max(1e-9, now.seconds - first.seconds)
        guard now.read > first.read || now.storedBytes > first.storedBytes else { return figures }
        figures.rate = Double(now.read - first.read) / seconds
        let taken = now.storedBytes - first.storedBytes
        figures.bytesRate = Double(taken) / seconds
        guard let totalBytes, totalBytes > 0 else { return figures }
        figures.share = min(1, Double(now.storedBytes) / Double(totalBytes))
        // An earlier estimate would be too rough.
        guard taken > 0, seconds >= 1, now.storedBytes < totalBytes else { return figures }
        figures.left = Double(totalBytes - now.storedBytes) * seconds / Double(taken)
        return figures
    }

    /// The progress line for a moment.
    package mutating func line(_ now: Moment) -> String {
        let figures = figures(now)
        var text = "\(FigureText.grouped(now.read)) records"
        if now.rejected > 0 { text += ", \(FigureText.grouped(now.rejected)) rejected" }
        if phaseStart?.phase != now.phase { phaseStart = (now.phase, now.seconds) }
        guard now.phase == .reading || now.phase == .waiting else {
            let seconds = now.seconds - (phaseStart?.seconds ?? now.seconds)
            return text + ", \(now.phase) for \(FigureText.time(seconds))"
        }
        guard let rate = figures.rate else { return text }
        text += ", \(FigureText.grouped(Int(rate))) a second"
        guard let share = figures.share else { return text + ", \(FigureText.size(figures.bytesRate))/s" }
        text += ", \(Int(share * 100)) %"
        return figures.left.map { text + ", \(FigureText.time($0)) left" } ?? text
    }
}
