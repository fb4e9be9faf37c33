#if Gzip && Zstd && Bzip2 && Xz
    import CTributaryBzip2
    import CTributaryLzma
    import CTributaryZlib
    import CTributaryZstd

    /// Compresses test data; each call makes one member, frame or stream.
    public enum Compressor: String, CaseIterable, Sendable {
        /// The formats that a reader can read.
        case gzip, zstd, bzip2, xz

        /// `bytes`, compressed.
        public func compress(_ bytes: [UInt8]) -> [UInt8] {
            let room = bytes.count + bytes.count / 50 + 1024
            return [UInt8](unsafeUninitializedCapacity: room) { output, count in
                switch self {
                case .gzip: count = Compressor.gzip(bytes, into: output)
                case .zstd:
                    // With a checksum, as the command `zstd` writes.
                    let context = ZSTD_createCCtx()
                    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
                    count = ZSTD_compress2(context, output.baseAddress, room, bytes, bytes.count)
                    ZSTD_freeCCtx(context)
                case .bzip2:
                    var length = UInt32(room)
                    var input = bytes.map { CChar(bitPattern: $0) }
                    output.withMemoryRebound(to: CChar.self) {
                        _ = BZ2_bzBuffToBuffCompress($0.baseAddress, &length, &input, UInt32(bytes.count), 1, 0, 0)
                    }
                    count = Int(length)
                case .xz:
                    var position = 0
                    lzma_easy_buffer_encode(
                        1, LZMA_CHECK_CRC64, nil, bytes, bytes.count, output.baseAddress, &position, room)
                    count = position
                }
            }
        }

        private static func gzip(_ bytes: [UInt8], into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
            var stream = z_stream()
            var input = bytes
            return input.withUnsafeMutableBufferPointer { buffer in
                deflateInit2_(
                    &stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                    Int32(MemoryLayout<z_stream>.size))
                stream.next_in = buffer.baseAddress
                stream.avail_in = UInt32(buffer.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
                let count = Int(stream.total_out)
                deflateEnd(&stream)
                return count
            }
        }
    }
#endif
