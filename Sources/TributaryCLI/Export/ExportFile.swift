import TributaryConcurrency
import TributaryImport
import TributaryJSON

/// A file of an export, which gets its name once it is complete; another thread compresses and writes.
final class ExportFile {
    private let writer: Writer
    /// At most 4 MiB wait for the other thread.
    private let queue = BoundedQueue<[UInt8]>(capacity: 4 << 20)
    private let ended = BoundedQueue<Bool>(capacity: 1)

    /// What the other thread does.
    private final class Writer {
        let path: String
        let file: FileReplacement
        private let compressor: (any StreamCompressor)?

        init(_ path: String) throws {
            self.path = path
            compressor = try Compression(name: path)?.makeCompressor()
            file = try ExportFile.naming(path) { try FileReplacement(of: path) }
        }

        /// Writes what is in a queue, until its end.
        func write(_ queue: BoundedQueue<[UInt8]>) throws {
            while let bytes = try queue.pop() { try write(bytes) }
            if compressor != nil { try write([], isEnd: true) }
        }

        private func write(_ bytes: [UInt8], isEnd: Bool = false) throws {
            let bytes = try compressor?.compress(bytes, isEnd: isEnd) ?? bytes
            try ExportFile.naming(path) { try file.write(bytes) }
        }
    }

    /// Begins the file; its name tells how it is compressed.
    init(_ path: String) throws {
        writer = try Writer(path)
        let (queue, ended) = (queue, ended)
        // `deinit` waits for the thread, which therefore need not keep the file, whose end removes what is not complete.
        let reference = UncheckedTransfer(Unmanaged.passUnretained(writer))
        do {
            try WorkerThread.start(named: "export") { ExportFile.write(queue, to: reference, ended) }
        } catch {
            ended.finish()
            throw error
        }
    }

    private static func write(
        _ queue: BoundedQueue<[UInt8]>, to writer: UncheckedTransfer<Unmanaged<Writer>>, _ ended: BoundedQueue<Bool>
    ) {
        var failure: (any Error)?
        do {
            try writer.value._withUnsafeGuaranteedRef { try $0.write(queue) }
        } catch {
            failure = error
            // The next write gets the error.
            queue.cancel()
        }
        ended.finish(throwing: failure)
    }

    deinit {
        queue.cancel()
        _ = try? ended.pop()
    }

    /// Appends bytes, which are written later.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard queue.push(Array(bytes), weight: bytes.count) else { return try wait() }
    }

    /// Waits for the other thread, and gives the file its name.
    func finish() throws {
        queue.finish()
        try wait()
        try ExportFile.naming(writer.path) { try writer.file.finish() }
    }

    private func wait() throws { _ = try ended.pop() }

    /// Writes a whole file.
    static func write(_ text: String, to path: String) throws {
        let file = try ExportFile(path)
        try Array(text.utf8).withUnsafeBytes { try file.write($0) }
        try file.finish()
    }

    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileReplacement.Failure {
            throw OutputFile.Failure.system("cannot write \(Excerpt.escape(path)): \(error)")
        }
    }
}
