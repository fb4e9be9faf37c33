/// What an import has done at one moment, and where its time went until then.
package struct ImportMeasures: Sendable, Codable {
    /// What the thread that writes is doing.
    package enum Stage: String, Sendable, Codable, CaseIterable {
        /// There is no prepared chunk yet.
        case waiting
        /// Rows go into their table.
        case writing
        /// The journal is written, and all of it brought to the disk.
        case committing
        /// Indexes are made.
        case indexing
        /// Rows are applied that were set aside.
        case heldBack
        /// Other contexts are told what has changed.
        case telling
    }

    /// Records taken from the reader.
    package var read = 0
    /// Records written, committed or not.
    package var written = 0
    /// Chunks between the reader and the thread that writes.
    package var queuedChunks = 0
    /// Their bytes.
    package var queuedBytes = 0
    /// Seconds the thread that writes has spent in each stage, by its name.
    package var stages: [String: Double] = [:]
    /// Seconds in which chunks were prepared, of all threads together.
    package var preparing = 0.0
    /// Seconds the thread behind the reader has waited for a chunk.
    package var reading = 0.0
    /// Seconds it has waited for room in the queue.
    package var held = 0.0
}
