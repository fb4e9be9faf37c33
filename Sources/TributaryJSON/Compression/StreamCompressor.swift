/// Compresses what a command writes.
package protocol StreamCompressor: AnyObject {
    /// The next compressed bytes; all of them at the end.
    func compress(_ bytes: [UInt8], isEnd: Bool) throws -> [UInt8]
}

extension Compression {
    /// The format of a file by the end of its name: gzip for `.gz`, zstd for `.zst`.
    package init?(name: String) {
        if name.hasSuffix(".gz") {
            self = .gzip
        } else if name.hasSuffix(".zst") {
            self = .zstd
        } else {
            return nil
        }
    }

    /// Makes a compressor, or throws an error that says why the format cannot be written.
    package func makeCompressor() throws -> any StreamCompressor {
        #if Gzip
            if self == .gzip { return GzipCompressor() }
        #endif
        #if Zstd
            if self == .zstd { return ZstdCompressor() }
        #endif
        throw JSONError(.compressionUnavailable, "\(self) cannot be written here; write a file that is not compressed")
    }

    /// The error of a compressor.
    func failure(_ reason: String) -> JSONError {
        JSONError(.compressionUnavailable, "\(self) cannot be written: \(reason)")
    }
}
