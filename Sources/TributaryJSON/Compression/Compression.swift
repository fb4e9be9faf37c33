/// A compression format, which a reader recognizes by the first bytes.
public enum Compression: String, Sendable, CustomStringConvertible {
    /// RFC 1952, any number of members.
    case gzip
    /// RFC 8878, any number of frames.
    case zstd
    /// bzip2, any number of streams.
    case bzip2
    /// xz, any number of streams.
    case xz
    /// Recognized, but not read.
    case zip, lz4, compress, sevenZip = "7z"

    /// The name, as `gzip`.
    public var description: String { rawValue }

    /// How many bytes `detect` needs to be sure.
    static let magicLength = 6

    /// The compression that `bytes` begin with.
    ///
    /// The name of a file never decides it.
    static func detect(_ bytes: some Collection<UInt8>) -> Compression? {
        let magics: [(Compression, [UInt8])] = [
            (.gzip, [0x1F, 0x8B]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]), (.bzip2, [0x42, 0x5A, 0x68]),
            (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), (.zip, [0x50, 0x4B, 0x03, 0x04]),
            (.lz4, [0x04, 0x22, 0x4D, 0x18]), (.compress, [0x1F, 0x9D]),
            (.sevenZip, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ]
        if let match = magics.first(where: { bytes.starts(with: $0.1) }) { return match.0 }
        // A zstd stream may begin with a skippable frame, 0x184D2A50 to 0x184D2A5F.
        let start = Array(bytes.prefix(4))
        if start.count == 4, start[0] & 0xF0 == 0x50, start[1...] == [0x2A, 0x4D, 0x18] { return .zstd }
        return nil
    }

    /// Makes a decompressor, or throws an error that says why the format cannot be read.
    func makeDecompressor(limits: ReadLimits) throws -> any Decompressor {
        #if Gzip
            if self == .gzip { return GzipDecompressor() }
        #endif
        #if Zstd
            if self == .zstd { return ZstdDecompressor(maxWindow: limits.window) }
        #endif
        #if Bzip2
            if self == .bzip2 { return Bzip2Decompressor() }
        #endif
        #if Xz
            if self == .xz { return XzDecompressor(maxWindow: limits.window) }
        #endif
        switch self {
        case .zip:
            throw unreadable(
                "a zip archive whose name does not end in .zip",
                "rename it, or unpack it first, as with unzip -p FILE, and read the output")
        case .sevenZip: throw unreadable("a 7z archive", "unpack it first, as with 7z x -so FILE, and read the output")
        case .lz4: throw unreadable("compressed with lz4", "unpack it first, as with lz4 -dc FILE, and read the output")
        case .compress:
            throw unreadable("compressed with compress", "unpack it first, as with zcat FILE, and read the output")
        case .gzip, .zstd, .bzip2, .xz:
            let trait = description.prefix(1).uppercased() + description.dropFirst()
            throw unreadable(
                "compressed with \(self), which this build leaves out",
                "build with the package trait \(trait), or unpack it first")
        }
    }

    private func unreadable(_ what: String, _ hint: String) -> JSONError {
        JSONError(.compressionUnavailable, "the input is \(what)", hint: hint)
    }
}
