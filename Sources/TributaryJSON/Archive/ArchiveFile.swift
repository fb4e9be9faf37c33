#if Archive
    import TributaryConcurrency

    /// A tar or zip archive, whose members are read in their order.
    ///
    /// The reader of one member then reads the next one, so that reading all members reads the archive once.
    final class ArchiveFile: Sendable {
        let file: FileSource
        private let limits: ReadLimits
        private let idle = Guarded<ArchiveReader?>(nil)

        init(_ file: FileSource, limits: ReadLimits) {
            self.file = file
            self.limits = limits
        }

        /// The JSON files, in their order.
        func members() throws -> [ArchiveMember] {
            let reader = try ArchiveReader(file, limits)
            var members: [ArchiveMember] = []
            while let entry = try reader.next() {
                guard entry.isFile, ArchiveMembers.isJSON(entry.name) else { continue }
                try reader.checkReadable()
                members.append(ArchiveMember(archive: self, entry: entry))
            }
            return members
        }

        func open(_ member: ArchiveReader.Entry) throws -> any ByteStream {
            let kept = idle.withLock { idle in
                defer { idle = nil }
                return idle
            }
            let reader = try kept.flatMap { $0.index < member.index ? $0 : nil } ?? ArchiveReader(file, limits)
            while let entry = try reader.next() {
                guard entry.index == member.index else { continue }
                guard entry.name == member.name else { break }
                return ArchiveStream(reader) { [self] in idle.withLock { $0 = reader } }
            }
            throw JSONError(
                .sourceChanged,
                "\(Excerpt.escape(file.name)) has changed: the member \(Excerpt.escape(member.name)) has moved")
        }
    }

    /// The bytes of a member.
    ///
    /// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
    final class ArchiveStream: ByteStream, @unchecked Sendable {
        private let reader: ArchiveReader
        private let onEnd: () -> Void
        private var isAtEnd = false

        init(_ reader: ArchiveReader, onEnd: @escaping () -> Void) {
            self.reader = reader
            self.onEnd = onEnd
        }

        func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
            // At its end the reader is given away.
            guard !isAtEnd else { return 0 }
            let count = try reader.read(into: target)
            if count == 0 {
                isAtEnd = true
                onEnd()
            }
            return count
        }

        var isReady: Bool { true }

        func cancel() { reader.cancel() }
    }
#endif
