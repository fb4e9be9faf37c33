#if Bzip2
    import CTributaryBzip2

    /// bzip2 through libbz2.
    final class Bzip2Decompressor: Decompressor {
        private let stream = UnsafeMutablePointer<bz_stream>.allocate(capacity: 1)
        let permitsZeroPadding = false

        init() {
            stream.initialize(to: bz_stream())
            BZ2_bzDecompressInit(stream, 0, 0)
        }

        deinit {
            BZ2_bzDecompressEnd(stream)
            stream.deallocate()
        }

        func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws
            -> Bool
        {
            let given = (input: min(input.count, Int(UInt32.max)), output: min(output.count, Int(UInt32.max)))
            // libbz2 does not write through `next_in`; its type merely lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: CChar.self).baseAddress)
            stream.pointee.avail_in = UInt32(given.input)
            stream.pointee.next_out = output.bindMemory(to: CChar.self).baseAddress
            stream.pointee.avail_out = UInt32(given.output)
            let code = BZ2_bzDecompress(stream)
            input.advance(by: given.input - Int(stream.pointee.avail_in))
            output.advance(by: given.output - Int(stream.pointee.avail_out))
            switch code {
            case BZ_OK: return false
            case BZ_STREAM_END: return true
            case BZ_MEM_ERROR: throw corrupt("libbz2 has no memory left")
            default: throw corrupt("the bzip2 stream is damaged (code \(code))")
            }
        }

        func startMember() throws {
            BZ2_bzDecompressEnd(stream)
            stream.pointee = bz_stream()
            guard BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
                throw corrupt("libbz2 cannot start another stream")
            }
        }
    }
#endif
