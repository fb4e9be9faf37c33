extension ImportWatch {
    /// Starts a feed, and calls `body`; the feed ends with it, and when the import should stop.
    package func follow<Result>(_ feed: ChunkFeed, _ body: () throws -> Result) throws -> Result {
        begin { feed.cancel() }
        defer {
            end()
            feed.cancel()
            feed.waitForThreads()
        }
        try feed.start()
        return try body()
    }
}
