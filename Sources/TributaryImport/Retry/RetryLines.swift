package import TributaryJSON

/// The records of a group of rejects as NDJSON, one on each line.
package struct RetryLines: ByteSource {
    /// The name of the source in messages.
    package let name: String
    let rejects: TemporaryRejectsFile
    let group: RetryGroup
    let pendingRejects: PendingRejects

    package func open() throws -> any ByteStream { Stream(self) }

    /// `@unchecked Sendable`: only one thread reads, and other threads call only `cancel`, which does nothing.
    private final class Stream: ByteStream, @unchecked Sendable {
        private let source: RetryLines
        private var reader: RejectsReader
        /// Two blanks come first, so that the bytes of a reject are not taken for a compression or an encoding.
        private var bytes: ArraySlice<UInt8> = [0x20, 0x20]

        init(_ source: RetryLines) {
            self.source = source
            reader = source.rejects.reader(of: source.group)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            var count = 0
            while count < buffer.count, try fill() {
                let piece = bytes.prefix(buffer.count - count)
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: piece)
                bytes = bytes.dropFirst(piece.count)
                count += piece.count
            }
            return count
        }

        /// Ensures that there are bytes; false at the end.
        private func fill() throws -> Bool {
            while bytes.isEmpty {
                guard let entry = try reader.next() else { return false }
                guard case .reject(let reject) = entry,
                    RetryGroup(reject, byFile: source.group.file != nil) == source.group
                else { continue }
                source.pendingRejects.append(reject.id, edited: reject.path == nil ? nil : reject.raw)
                bytes = source.group.line(of: reject)[...]
            }
            return true
        }
    }
}
