/// Does independent work on several threads.
package enum Concurrently {
    /// The results of `body` for all elements, each on a thread of its own.
    ///
    /// - Throws: The error of the first element with one, after all are done.
    package static func map<Element: Sendable, Output: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Output
    ) throws -> [Output] {
        let results = Monitor<[Int: Result<Output, any Error>]>([:])
        for (index, element) in elements.enumerated() {
            @Sendable func work() {
                let result = Result { try body(element) }
                results.update { $0[index] = result }
            }
            // The calling thread takes the last element, and those for which no thread can be started.
            if index == elements.count - 1 || (try? WorkerThread.start(work)) == nil { work() }
        }
        let all = results.wait { $0.count == elements.count ? $0 : nil }
        return try elements.indices.compactMap { try all[$0]?.get() }
    }
}
