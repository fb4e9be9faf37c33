import Foundation

/// Sorted entries of an index in an unlinked file, which is deleted with this object.
final class SortedPart {
    /// Why a part could not be written or read.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ what: String) { description = "a temporary file \(what): \(String(cString: strerror(errno)))" }
    }

    /// The bytes before each record: its prefix and its length.
    private static let headerSize = 12
    private static let bufferSize = 256 << 10

    private let descriptor: Int32

    // One thread merges, and no access to a field overlaps another: the check for each entry would cost time.

    @exclusivity(unchecked) private var buffer: [UInt8] = []
    /// The place of the current entry in the buffer.
    @exclusivity(unchecked) private var start = 0
    /// The prefix and the length of the current entry; nil at the end.
    @exclusivity(unchecked) private var current: (prefix: UInt64, count: Int)?

    /// Writes the entries that `body` passes to its argument.
    init(in folder: String, _ body: ((UInt64, UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        var name = Array((folder + "/.tributary-keys-XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw Failure("cannot be created in \(folder)") }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        buffer.reserveCapacity(SortedPart.bufferSize)
        try body { prefix, record in
            withUnsafeBytes(of: prefix) { buffer.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: record.count)) { buffer.append(contentsOf: $0) }
            buffer.append(contentsOf: record)
            if buffer.count >= SortedPart.bufferSize { try flush() }
        }
        try flush()
        buffer = []
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Failure("cannot be read") }
    }

    deinit { close(descriptor) }

    private func flush() throws {
        try buffer.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count, let start = bytes.baseAddress {
                let count = write(descriptor, start + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure("cannot be written") }
                done += count
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    // MARK: Reading

    /// Reads on until the buffer has `count` bytes of the current entry; false at the end.
    private func fill(_ count: Int) throws -> Bool {
        guard buffer.count - start < count else { return true }
        buffer.removeFirst(start)
        start = 0
        while buffer.count < count {
            let wanted = max(SortedPart.bufferSize, count - buffer.count)
            let old = buffer.count
            buffer.append(contentsOf: repeatElement(0, count: wanted))
            let got = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { read(descriptor, $0 + old, wanted) } ?? 0
            }
            buffer.removeLast(wanted - max(got, 0))
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw Failure("cannot be read") }
            if got == 0 { return false }
        }
        return true
    }

    /// Goes to the next entry.
    private func advance() throws {
        if let current { start += SortedPart.headerSize + current.count }
        current = nil
        guard try fill(SortedPart.headerSize) else { return }
        let count = buffer.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)) }
        guard try fill(SortedPart.headerSize + count) else { return }
        current = (buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) }, count)
    }

    private func withRecord<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let from = start + SortedPart.headerSize
        return try buffer.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[from..<from + (current?.count ?? 0)]))
        }
    }

    /// Whether the current entry comes before that of another part, which exists.
    private func comes(before other: SortedPart) -> Bool {
        guard let one = current, let two = other.current else { return current != nil }
        if one.prefix != two.prefix { return one.prefix < two.prefix }
        return withRecord { record in other.withRecord { RecordOrder.comes(record, before: $0) } }
    }

    /// Calls `body` with the entries of all parts in their order.
    static func merge(_ parts: [SortedPart], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        for part in parts { try part.advance() }
        var heap = parts.filter { $0.current != nil }
        func sink(_ place: Int) {
            var place = place
            while true {
                var least = place
                for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                    if heap[child].comes(before: heap[least]) { least = child }
                }
                if least == place { return }
                heap.swapAt(least, place)
                place = least
            }
        }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(place) }
        while let first = heap.first {
            try first.withRecord(body)
            try first.advance()
            if first.current == nil {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            if !heap.isEmpty { sink(0) }
        }
    }
}
