#if Zstd
    import CTributaryZstd

    /// zstd with a checksum, one frame.
    final class ZstdCompressor: StreamCompressor {
        private let context = ZSTD_createCCtx()
        private var room = [UInt8](repeating: 0, count: 256 << 10)

        init() { ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1) }

        deinit { ZSTD_freeCCtx(context) }

        func compress(_ bytes: [UInt8], isEnd: Bool) throws -> [UInt8] {
            guard context != nil else { throw Compression.zstd.failure("there is no memory") }
            var result: [UInt8] = []
            try bytes.withUnsafeBytes { bytes in
                var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                var rest = 0
                repeat {
                    let count = room.withUnsafeMutableBytes { room in
                        var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                        rest = ZSTD_compressStream2(context, &output, &input, isEnd ? ZSTD_e_end : ZSTD_e_continue)
                        return output.pos
                    }
                    guard ZSTD_isError(rest) == 0 else {
                        throw Compression.zstd.failure(String(cString: ZSTD_getErrorName(rest)))
                    }
                    result += room[..<count]
                } while input.pos < input.size || isEnd && rest > 0
            }
            return result
        }
    }
#endif
