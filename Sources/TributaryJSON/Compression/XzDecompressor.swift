#if Xz
    import CTributaryLzma

    /// xz through liblzma.
    final class XzDecompressor: Decompressor {
        private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
        private let maxWindow: Int
        let permitsZeroPadding = true

        init(maxWindow: Int) {
            self.maxWindow = maxWindow
            stream.initialize(to: tributary_lzma_stream())
            _ = begin()
        }

        deinit {
            lzma_end(stream)
            stream.deallocate()
        }

        private func begin() -> lzma_ret {
            // The decoder needs less than 1 MiB in addition to its dictionary.
            lzma_stream_decoder(stream, UInt64(maxWindow) + (1 << 20), 0)
        }

        func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws
            -> Bool
        {
            let given = (input: input.count, output: output.count)
            stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_in = given.input
            stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = given.output
            let code = lzma_code(stream, LZMA_RUN)
            input.advance(by: given.input - stream.pointee.avail_in)
            output.advance(by: given.output - stream.pointee.avail_out)
            switch code {
            case LZMA_OK, LZMA_BUF_ERROR: return false
            case LZMA_STREAM_END: return true
            case LZMA_MEMLIMIT_ERROR:
                throw JSONError(
                    .compressionWindow,
                    "the xz stream needs \(lzma_memusage(stream)) bytes of memory, more than its window limit of \(maxWindow)",
                    hint: "raise the window limit")
            case LZMA_MEM_ERROR: throw corrupt("liblzma has no memory left")
            default: throw corrupt("the xz stream is damaged (code \(code.rawValue))")
            }
        }

        func startMember() throws {
            guard begin() == LZMA_OK else { throw corrupt("liblzma cannot start another stream") }
        }
    }
#endif
