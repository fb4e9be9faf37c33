import CTributaryStructure

/// Counts line feeds.
enum LineFeeds {
    /// Whether this processor lacks the instructions of the fast form.
    static let isPortable = tributary_scan_is_portable()

    static func count(in bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        return tributary_line_feeds(start.assumingMemoryBound(to: UInt8.self), bytes.count, isPortable)
    }
}
