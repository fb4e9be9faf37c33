import Foundation
import TributaryPlatform

/// A database file without open connections, to which pages are appended.
///
/// SQLite has made it, with a schema and without rows. The header, which has the number of pages, is written by
/// `finish`: until then SQLite sees an empty database, and must not open it.
///
/// Several threads may append the pages of different trees.
package final class PageFile {
    /// Why a file could not be used.
    package struct Failure: Error, CustomStringConvertible {
        /// What happened, where, and what the system says.
        package let description: String
        /// Whether the disk is full.
        package let isFull: Bool
    }

    /// The most pages: the first byte of an overflow page, which is one of a page number, never is that of a leaf.
    private static let largestPage = UInt32(PageBuilder.Kind.tableLeaf.rawValue) << 24 - 1

    /// The sizes of its pages.
    package let format: PageFormat
    /// The number of its pages, those that are not written yet included.
    package private(set) var pageCount: UInt32
    private let path: String
    private let descriptor: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let buffer: UnsafeMutableRawBufferPointer
    /// The bytes in the buffer, and the number of the first page there.
    private var buffered = 0
    private var firstBuffered: UInt32 = 0

    /// Opens a database for appending.
    package init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        var header = [UInt8](repeating: 0, count: 100)
        let isRead = descriptor >= 0 && pread(descriptor, &header, header.count, 0) == header.count
        func number(_ offset: Int, _ count: Int) -> Int {
            header[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let pageSize = number(16, 2) == 1 ? 65536 : number(16, 2)
        format = PageFormat(pageSize: max(pageSize, 512), reserved: Int(header[20]))
        pageCount = UInt32(truncatingIfNeeded: number(28, 4))
        buffer = .allocate(byteCount: max(1 << 20, format.pageSize), alignment: 4096)
        pthread_mutex_init(mutex, nil)
        if !isRead { throw failure("it cannot be opened", descriptor < 0 ? errno : 0) }
        // Schema format 4; no free pages; no pointer maps; UTF-8; a page count that the header vouches for.
        guard header.starts(with: "SQLite format 3\0".utf8), number(44, 4) == 4, number(32, 4) == 0, number(52, 4) == 0,
            number(56, 4) == 1, number(24, 4) == number(92, 4), pageCount > 0
        else { throw failure("it is not a database that pages can be appended to", 0) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        buffer.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func failure(_ what: String, _ code: Int32) -> Failure {
        let system = code == 0 ? "" : ": \(String(cString: strerror(code)))"
        return Failure(description: "\(path): \(what)\(system)", isFull: code == ENOSPC || code == EDQUOT)
    }

    /// The failure for a page that this library has not written so.
    func damage(_ number: UInt32) -> Failure {
        failure("page \(number) is damaged, so the load cannot be resumed: start over with --restart (resuming)", 0)
    }

    // MARK: Pages

    /// The number of the page that follows page `number`.
    func number(after number: UInt32) -> UInt32 { number + 1 == format.lockPage ? number + 2 : number + 1 }

    private func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Appends a page; returns its number.
    @discardableResult
    package func append(_ page: UnsafeRawBufferPointer) throws -> UInt32 { try withLock { try add(page) } }

    @discardableResult
    private func add(_ page: UnsafeRawBufferPointer) throws -> UInt32 {
        let next = number(after: pageCount)
        if next > PageFile.largestPage { throw failure("it is too large to be written directly", 0) }
        if buffered + format.pageSize > buffer.count || next != pageCount + 1 { try writeBuffer() }
        if buffered == 0 { firstBuffered = next }
        UnsafeMutableRawBufferPointer(rebasing: buffer[buffered...]).copyMemory(from: page)
        buffered += format.pageSize
        pageCount = next
        return next
    }

    /// Appends a chain of overflow pages with `bytes`; returns the number of the first page.
    func appendOverflow(_ bytes: UnsafeRawBufferPointer) throws -> UInt32 {
        try withLock { try addOverflow(bytes) }
    }

    private func addOverflow(_ bytes: UnsafeRawBufferPointer) throws -> UInt32 {
        let first = number(after: pageCount)
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: format.pageSize, alignment: 8)
        defer { page.deallocate() }
        guard let start = page.baseAddress else { return first }
        var rest = bytes
        while !rest.isEmpty {
            let part = rest.prefix(format.overflowSize)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            let following = rest.isEmpty ? 0 : number(after: number(after: pageCount))
            page.initializeMemory(as: UInt8.self, repeating: 0)
            start.storeBigEndian(UInt64(following), bytes: 4)
            UnsafeMutableRawBufferPointer(rebasing: page[4...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            try add(UnsafeRawBufferPointer(page))
        }
        return first
    }

    /// Reads a page that was written.
    func read(_ number: UInt32, into page: UnsafeMutableRawBufferPointer) throws {
        var done = 0
        while done < format.pageSize, let start = page.baseAddress {
            let offset = (Int(number) - 1) * format.pageSize + done
            let count = pread(descriptor, start + done, format.pageSize - done, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("page \(number) cannot be read", count < 0 ? errno : 0) }
            done += count
        }
    }

    /// Whether a page was written.
    func contains(_ number: UInt32) -> Bool { lseek(descriptor, 0, SEEK_END) >= Int(number) * format.pageSize }

    /// Removes all pages after page `count`, which an earlier process has synced.
    package func truncate(to count: UInt32) throws {
        buffered = 0
        guard count > 0, contains(count) else { throw failure("it has fewer pages than its checkpoint", 0) }
        if ftruncate(descriptor, off_t(Int(count) * format.pageSize)) != 0 {
            throw failure("it cannot be truncated", errno)
        }
        pageCount = count
    }

    /// Moves the last page to the place of an earlier one.
    func moveLastPage(to number: UInt32) throws {
        try move(pageCount, to: number)
        pageCount -= pageCount == format.lockPage + 1 ? 2 : 1
    }

    /// Moves a page, whose first byte is not zero.
    ///
    /// After a crash each place has a zero there, what was there before, or the complete page, and one has the page: the
    /// first byte follows the others, and is removed from the old place once it is on the disk.
    func move(_ number: UInt32, to other: UInt32) throws {
        try flush()
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: format.pageSize, alignment: 8)
        defer { page.deallocate() }
        try read(number, into: page)
        let kind = page[0]
        for (place, byte, count) in [(other, 0, format.pageSize), (other, kind, 1), (number, 0, 1)] {
            page[0] = byte
            try write(UnsafeRawBufferPointer(rebasing: page[..<count]), at: (Int(place) - 1) * format.pageSize)
            try sync()
        }
    }

    /// Overwrites a page, such as the root of a tree.
    func overwrite(_ number: UInt32, with page: UnsafeRawBufferPointer) throws {
        try withLock { try writeBuffer() }
        try write(page, at: (Int(number) - 1) * format.pageSize)
    }

    /// Writes the pages that are still in the buffer.
    package func flush() throws { try withLock { try writeBuffer() } }

    private func writeBuffer() throws {
        guard buffered > 0 else { return }
        try write(UnsafeRawBufferPointer(rebasing: buffer[..<buffered]), at: (Int(firstBuffered) - 1) * format.pageSize)
        buffered = 0
    }

    /// Writes all pages to the disk.
    package func sync() throws {
        try flush()
        if fsync(descriptor) != 0 { throw failure("it cannot be synced", errno) }
    }

    /// Writes the number of pages into the header, which makes the file a complete database, and syncs it.
    package func finish() throws {
        try flush()
        if ftruncate(descriptor, off_t(Int(pageCount) * format.pageSize)) != 0 {
            throw failure("it cannot be truncated", errno)
        }
        var header = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &header, header.count, 0) == header.count else {
            throw failure("it cannot be read", errno)
        }
        let change = header[24..<28].reduce(0) { $0 << 8 | UInt64($1) } + 1
        try header.withUnsafeMutableBytes { header in
            guard let start = header.baseAddress else { return }
            (start + 24).storeBigEndian(change, bytes: 4)
            (start + 28).storeBigEndian(UInt64(pageCount), bytes: 4)
            (start + 92).storeBigEndian(change, bytes: 4)
            try write(UnsafeRawBufferPointer(header), at: 0)
        }
        try sync()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("pages cannot be written", errno) }
            done += count
        }
    }
}
