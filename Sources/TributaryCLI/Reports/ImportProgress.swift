package import TributaryImport

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

    /// The progress line for a moment.
    package mutating func line(_ now: Moment) -> String {
        // The counts of a resumed import include earlier runs, which must not affect its rate.
        let first = self.first ?? now
        self.first = first
        var text = "\(Progress.grouped(now.read)) records"
        if now.rejected > 0 { text += ", \(Progress.grouped(now.rejected)) rejected" }
        if phaseStart?.phase != now.phase { phaseStart = (now.phase, now.seconds) }
        guard now.phase == .reading || now.phase == .waiting else {
            let seconds = now.seconds - (phaseStart?.seconds ?? now.seconds)
            return text + ", \(now.phase) for \(Progress.time(seconds))"
        }
        let seconds = max(1e-9, now.seconds - first.seconds)
        guard now.read > first.read || now.storedBytes > first.storedBytes else { return text }
        text += ", \(Progress.grouped(Int(Double(now.read - first.read) / seconds))) a second"
        let taken = now.storedBytes - first.storedBytes
        guard let totalBytes, totalBytes > 0 else {
            return text + ", \(ImportProgress.megabytes(Double(taken) / seconds))/s"
        }
        let share = min(1, Double(now.storedBytes) / Double(totalBytes))
        text += ", \(Int(share * 100)) %"
        // An earlier estimate would be too rough.
        guard taken > 0, seconds >= 1, now.storedBytes < totalBytes else { return text }
        let left = Double(totalBytes - now.storedBytes) * seconds / Double(taken)
        return text + ", \(Progress.time(left)) left"
    }

    static func megabytes(_ bytes: Double) -> String {
        bytes < 1e6 ? "\(Int(bytes / 1e3)) kB" : "\(Int(bytes / 1e6)) MB"
    }
}
