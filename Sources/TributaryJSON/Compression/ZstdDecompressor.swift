#if Zstd
    import CTributaryZstd

    /// Zstandard through libzstd.
    final class ZstdDecompressor: Decompressor {
        private let stream: OpaquePointer?
        private let maxWindow: Int
        let permitsZeroPadding = false

        init(maxWindow: Int) {
            stream = ZSTD_createDStream()
            self.maxWindow = maxWindow
            // libzstd takes a power of two, so this is the largest one within the limit.
            let power = Int.bitWidth - 1 - max(1024, maxWindow).leadingZeroBitCount
            _ = ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(min(power, 31)))
        }

        deinit { ZSTD_freeDStream(stream) }

        func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws
            -> Bool
        {
            guard let stream else { throw corrupt("libzstd has no memory left") }
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let code = ZSTD_decompressStream(stream, &target, &source)
            input.advance(by: source.pos)
            output.advance(by: target.pos)
            guard ZSTD_isError(code) == 0 else {
                if ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge {
                    throw JSONError(
                        .compressionWindow, "the zstd frame needs a window of more than \(maxWindow) bytes",
                        hint: "raise the window limit")
                }
                throw corrupt("the zstd stream is damaged (\(String(cString: ZSTD_getErrorName(code))))")
            }
            return code == 0
        }

        func startMember() throws {
            ZSTD_DCtx_reset(stream, ZSTD_reset_session_only)
        }
    }
#endif
