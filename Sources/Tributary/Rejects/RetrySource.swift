package import TributaryJSON

/// The records of a group of rejects as NDJSON, each on the line that it has in the file of rejects.
package struct RetrySource: FileBackedSource {
    /// The file of rejects.
    package let file: FileSource
    /// Which of its lines.
    package let group: RetryGroup

    /// The lines of `group` in the file at `path`.
    package init(path: String, group: RetryGroup) {
        file = FileSource(path)
        self.group = group
    }

    /// The path of the file of rejects.
    package var name: String { file.name }

    /// The run, the entity and the layout of the lines.
    package var part: String {
        let layout =
            switch group.layout {
            case .element: "elements"
            case .member(let name): "members" + (name.map { " by \($0)" } ?? "")
            }
        return "\(layout) of \(group.entity ?? "no entity") in run \(group.run ?? 0)"
    }

    /// Nobody knows before the lines are read.
    package var byteCount: Int? { nil }

    /// Starts at the first line.
    package func open() throws -> any ByteStream { Stream(RejectsReader(file), group) }

    /// `@unchecked Sendable`: one thread reads, and `cancel`, which does nothing, is all that comes from others.
    private final class Stream: ByteStream, @unchecked Sendable {
        private var reader: RejectsReader
        private let group: RetryGroup
        private var bytes: ArraySlice<UInt8> = []
        private var isAtEnd = false
        /// How many lines have been made.
        private var lines = 0

        init(_ reader: RejectsReader, _ group: RetryGroup) {
            self.reader = reader
            self.group = group
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

        /// Sees to it that there are bytes; false at the end.
        private func fill() throws -> Bool {
            while bytes.isEmpty, !isAtEnd {
                guard let entry = try reader.next() else {
                    isAtEnd = true
                    break
                }
                guard case .line(let reject) = entry, reject.canBeRetried, RetryGroup(reject) == group else { continue }
                // It stands on the line that it has in the file, whatever stands on those before.
                let before = max(0, reject.number - 1 - lines)
                lines += before + 1
                bytes = ([UInt8](repeating: 0x0A, count: before) + group.line(of: reject) + [0x0A])[...]
            }
            return !bytes.isEmpty
        }
    }
}
