extension ByteSource {
    /// The layout that a reader will infer; nil if the source cannot be read, which the reader will report.
    ///
    /// The source is opened once more, so it must not be a pipe.
    package func inferredShape(_ options: ReadOptions = ReadOptions()) -> RecordShape? {
        var found: RecordShape?
        func detect(_ text: [UInt8], upTo count: Int, _ state: ShapeDetector.SampleState) {
            found = text.prefix(count).withUnsafeBytes { sample in
                try? ShapeDetector(sample: sample, state: state, name: name, options: options).detect()
            }
        }
        var wanted = 64 << 10
        let text = try? beginning(options, upTo: ShapeDetector.largestSample) { text in
            if text.count >= wanted {
                detect(text, upTo: wanted, .growing)
                wanted *= 2
            }
            return found != nil
        }
        if found == nil, let text {
            detect(text, upTo: wanted, text.count < ShapeDetector.largestSample ? .complete : .growing)
        }
        return found
    }
}
