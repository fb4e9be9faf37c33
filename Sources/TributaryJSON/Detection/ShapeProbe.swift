/// Infers the layout of a source from its first bytes, before it is read.
package enum ShapeProbe {
    /// The layout that a reader will infer; nil if the source cannot be read, which the reader will report.
    ///
    /// The source is opened once more, so it must not be a pipe.
    package static func shape(of source: any ByteSource, _ options: ReadOptions = ReadOptions()) -> RecordShape? {
        guard let raw = try? source.open(),
            let decoded = try? DecodedStream(raw, limits: options.limits, options.conversion)
        else {
            return nil
        }
        defer { raw.cancel() }
        var sample: [UInt8] = []
        var wanted = 64 << 10
        while true {
            let missing = wanted - sample.count
            let more = try? [UInt8](unsafeUninitializedCapacity: missing) { bytes, count in
                count = try decoded.stream.read(into: UnsafeMutableRawBufferPointer(bytes))
            }
            guard let more else { return nil }
            sample += more
            guard more.isEmpty || sample.count >= wanted else { continue }
            let found = sample.withUnsafeBytes { bytes in
                try? ShapeDetector(
                    sample: bytes, state: more.isEmpty ? .complete : .growing, name: source.name, options: options
                ).detect()
            }
            if let found { return found }
            if more.isEmpty || sample.count >= ShapeDetector.largestSample { return nil }
            wanted *= 2
        }
    }
}
