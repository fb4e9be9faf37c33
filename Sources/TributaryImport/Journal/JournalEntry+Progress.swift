package import Foundation
import TributaryJSON

extension JournalEntry {
    /// The run at the time of its entry, or while rows are published at a later one.
    package func moment(_ now: Date = Date()) -> ImportProgress.Moment {
        let isReading = phase == .load
        // The speed is that between two commits; an entry without a commit says nothing new.
        let time = isReading ? updated : now
        return ImportProgress.Moment(
            read: summary.read, rejected: summary.rejected, phase: isReading ? .reading : .publishing,
            storedBytes: storedBytes, seconds: time.timeIntervalSince(started))
    }

    /// The names of the files that are read, without their folders.
    package var shortSourceNames: [String] {
        sourceNames.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    }

    /// The source that is being read, and its number among all, from 1.
    package var currentSource: (name: String, number: Int) {
        let names = shortSourceNames
        let index = min(checkpoint?.source ?? 0, max(0, names.count - 1))
        return (names.indices.contains(index) ? names[index] : "", index + 1)
    }

    /// The size of all sources; nil if the position in one of them is not that of its stored bytes.
    package var totalBytes: Int? {
        let sizes = sources.compactMap(\.size)
        guard sizes.count == sources.count, !isCompressed else { return nil }
        return sizes.reduce(0, +)
    }

    /// The bytes read from the sources as they are stored, or decompressed if they are compressed.
    package var storedBytes: Int { earlierBytes + (checkpoint?.byte ?? 0) }

    /// Whether a source is compressed, as its name or its position says.
    private var isCompressed: Bool {
        let endings = [".gz", ".zst", ".bz2", ".xz", ".zip", ".tgz"]
        return sources.contains { source in endings.contains { source.name.lowercased().hasSuffix($0) } }
            || storedBytes > sources.reduce(0) { $0 + ($1.size ?? 0) }
    }
}
