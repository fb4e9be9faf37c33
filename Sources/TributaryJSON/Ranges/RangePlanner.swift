import CTributaryStructure

/// Divides a file of records into ranges, which several readers parse at once, with exact borders.
///
/// A reader parses the file up to the first record, which yields the layout and the container of the records. From there
/// on a scan follows strings and brackets alone. It is many times as fast as a parser, and exact for valid JSON. Pieces
/// of the wanted size begin at fixed distances; the first border in a piece begins a range.
package struct RangePlanner: Sendable {
    /// What has become of a file.
    package enum Outcome: Sendable, Hashable {
        /// The ranges of the file, in their order.
        case divided([RecordRange])
        /// One reader must read the whole file, because of the layout or the options.
        case undivided(reason: String)
    }

    let source: FileSource
    let options: ReadOptions
    let checkpoint: Checkpoint?
    let size: Int
    /// Whether to use the form of the scan for any processor, also where there is a faster one.
    package var usesPortableScan = tributary_scan_is_portable()

    /// Prepares to divide a file, which must not change, into ranges of about `size` bytes.
    package init(
        _ source: FileSource, options: ReadOptions, startingAt checkpoint: Checkpoint? = nil, size: Int
    ) {
        self.source = source
        self.options = options
        self.checkpoint = checkpoint
        self.size = max(1, (min(size, 1 << 50) + 63) / 64) * 64
    }

    /// Finds the ranges.
    package func plan() throws -> Outcome {
        do {
            var scan = try RangeScan(self, beginning())
            return .divided(try scan.ranges())
        } catch let obstacle as Obstacle {
            return .undivided(reason: obstacle.reason)
        }
    }

    // MARK: The first record

    /// The place where reading begins, and the place after the first record.
    struct Beginning {
        let start: Checkpoint
        let firstEnd: Checkpoint
        let fileEnd: Int
    }

    /// A reason why the file is not divided.
    struct Obstacle: Error { let reason: String }

    private func beginning() throws -> Beginning {
        guard source.isFile, let fileEnd = source.byteCount else { throw Obstacle(reason: "it is not a regular file") }
        guard options.onError == .stop else { throw Obstacle(reason: "damaged records are skipped, not an error") }
        let stream = try DecodedStream(source.open(), limits: options.limits, options.conversion)
        if let compression = stream.compression { throw Obstacle(reason: "it is compressed with \(compression)") }
        guard stream.encoding == .utf8, !stream.isConverted else {
            throw Obstacle(reason: "it is converted to UTF-8 JSON")
        }
        var options = options
        options.chunkRecords = 1
        options.digests = false
        let reader = RecordReader(from: [source], options: options, resumingAt: checkpoint)
        defer { reader.cancel() }
        var chunk: RecordChunk?
        do {
            // An empty chunk precedes an error.
            repeat { chunk = try reader.next() } while chunk?.isEmpty == true
        } catch is JSONError {
            throw Obstacle(reason: "its first record cannot be read")
        }
        guard let chunk else { throw Obstacle(reason: "it has no records") }
        let (firstEnd, shape) = (chunk.checkpoint, chunk.shape)
        guard shape.isDivisible, shape.framing == .lines || firstEnd.isInArray else {
            throw Obstacle(reason: "its layout is \(shape)")
        }
        let start =
            checkpoint
            ?? Checkpoint(
                source: 0, byte: stream.begin, line: 1, lineStart: stream.begin, record: 0, steps: [], shape: shape,
                hasMetPath: false, isBehindText: false)
        return Beginning(start: start, firstEnd: firstEnd, fileEnd: fileEnd)
    }
}

extension RecordShape {
    /// Whether the records are lines, or the elements of one array.
    fileprivate var isDivisible: Bool {
        guard paths.count == 1, let path = paths.first else { return false }
        guard framing == .text else { return framing == .lines && path == .root }
        let inner = path.spreadsArrays ? path.components[...] : path.components.dropLast()
        return !inner.contains(.elements) && !inner.contains(.members)
            && (path.spreadsArrays || path.components.last == .elements)
    }
}

extension Checkpoint {
    /// Whether the last record is an element of the array at the path.
    fileprivate var isInArray: Bool {
        guard let path = shape.paths.first, case .index = steps.last else { return false }
        return steps.count == path.components.count + (path.spreadsArrays ? 1 : 0)
    }
}
