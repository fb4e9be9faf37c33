#if Gzip
    import CTributaryZlib

    /// gzip through zlib, one member.
    final class GzipCompressor: StreamCompressor {
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private var room = [UInt8](repeating: 0, count: 256 << 10)

        init() {
            stream.initialize(to: z_stream())
            // A wrong library version or missing memory makes the first `deflate` fail, so the result is not needed.
            _ = deflateInit2_(
                stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
        }

        deinit {
            deflateEnd(stream)
            stream.deallocate()
        }

        func compress(_ bytes: [UInt8], isEnd: Bool) throws -> [UInt8] {
            var result: [UInt8] = []
            try bytes.withUnsafeBufferPointer { input in
                // zlib does not write through `next_in`; its type merely lacks the const.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                var code = Z_OK
                repeat {
                    let count = room.withUnsafeMutableBufferPointer { output in
                        stream.pointee.next_out = output.baseAddress
                        stream.pointee.avail_out = UInt32(output.count)
                        code = deflate(stream, isEnd ? Z_FINISH : Z_NO_FLUSH)
                        return output.count - Int(stream.pointee.avail_out)
                    }
                    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
                        throw Compression.gzip.failure("code \(code)")
                    }
                    result += room[..<count]
                } while stream.pointee.avail_out == 0 || isEnd && code == Z_OK
            }
            return result
        }
    }
#endif
