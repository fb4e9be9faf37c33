/// The progress of an import at one moment, and the time spent until then.
package struct ImportMeasures: Sendable, Codable {
    /// An activity of the thread that writes.
    package enum Stage: String, Sendable {
        /// It waits for a prepared chunk.
        case waiting
        /// It writes rows.
        case writing
        /// It writes the journal and commits.
        case committing
        /// It creates indexes.
        case indexing
        /// It applies records that were held back.
        case heldBack
        /// It notifies other contexts of the changes.
        case notifying
    }

    /// Records written, committed or not.
    package var written = 0
    /// The bytes of the chunks between the reader and the thread that writes.
    package var queuedBytes = 0
    /// Seconds the thread that writes has spent in each stage, by its name.
    package var stages: [String: Double] = [:]
    /// Seconds spent on preparing chunks, of all threads together.
    package var preparing = 0.0
    /// Seconds spent waiting for a chunk of the reader.
    package var reading = 0.0
    /// Seconds spent waiting for room in the queue.
    package var held = 0.0

    /// Nothing has been done yet.
    package init() {}
}
