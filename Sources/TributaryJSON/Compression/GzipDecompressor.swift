#if Gzip
    import CTributaryZlib

    /// gzip through zlib, which also checks header, CRC and length.
    final class GzipDecompressor: Decompressor {
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        let permitsZeroPadding = true

        init() {
            stream.initialize(to: z_stream())
            // A wrong library version or missing memory makes the first `inflate` fail, so the result is not needed.
            _ = tributary_gzip_begin(stream)
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }

        func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws
            -> Bool
        {
            let given = (input: min(input.count, Int(UInt32.max)), output: min(output.count, Int(UInt32.max)))
            // zlib does not write through `next_in`; its type merely lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(given.input)
            stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(given.output)
            let code = inflate(stream, Z_NO_FLUSH)
            input.advance(by: given.input - Int(stream.pointee.avail_in))
            output.advance(by: given.output - Int(stream.pointee.avail_out))
            switch code {
            case Z_OK, Z_BUF_ERROR: return false
            case Z_STREAM_END: return true
            default:
                let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)"
                throw corrupt("the gzip stream is damaged (\(reason))")
            }
        }

        func startMember() throws {
            guard inflateReset(stream) == Z_OK else { throw corrupt("zlib cannot start another gzip member") }
        }
    }
#endif
