import TributaryImport
import TributaryJSON

/// A file of an export, which gets its name once it is complete.
final class ExportFile {
    private let path: String
    private let file: FileReplacement
    private let compressor: (any StreamCompressor)?
    private var buffer: [UInt8] = []
    private static let bufferSize = 256 << 10

    /// Begins the file; its name tells how it is compressed.
    init(_ path: String) throws {
        self.path = path
        compressor = try Compression(name: path)?.makeCompressor()
        file = try ExportFile.naming(path) { try FileReplacement(of: path) }
        buffer.reserveCapacity(ExportFile.bufferSize * 2)
    }

    /// Buffers the bytes that `body` appends.
    func write(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&buffer)
        if buffer.count >= ExportFile.bufferSize { try flush(isEnd: false) }
    }

    /// Writes the rest, and gives the file its name.
    func finish() throws {
        try flush(isEnd: true)
        try ExportFile.naming(path) { try file.finish() }
    }

    private func flush(isEnd: Bool) throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        let bytes = try compressor?.compress(buffer, isEnd: isEnd) ?? buffer
        try ExportFile.naming(path) { try file.write(bytes) }
    }

    /// Writes a whole file.
    static func write(_ text: String, to path: String) throws {
        let file = try ExportFile(path)
        try file.write { $0 += text.utf8 }
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
