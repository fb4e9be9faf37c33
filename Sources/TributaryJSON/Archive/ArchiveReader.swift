#if Archive
    import CTributaryArchive
    import TributaryPlatform

    /// Reads an archive from its beginning to its end, by libarchive.
    ///
    /// Compression around a tar archive is undone by this library, with its limits; libarchive sees the plain archive.
    /// Of a zip archive only the methods of constant memory are read.
    ///
    /// `@unchecked Sendable`: one thread at a time has it, except for `cancel`, which only forwards.
    final class ArchiveReader: @unchecked Sendable {
        /// A member.
        struct Entry {
            let index: Int
            let name: String
            let isFile: Bool
            let size: Int?
        }

        private let file: FileSource
        private let limits: ReadLimits
        private let handle: OpaquePointer
        private let isZip: Bool
        /// The locale in which libarchive reads names.
        private let locale: locale_t?
        /// The plain bytes of a tar archive.
        private var stream: (any ByteStream)?
        private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        private var failure: (any Error)?
        private var produced = 0
        private(set) var index = -1

        init(_ file: FileSource, _ limits: ReadLimits) throws {
            self.file = file
            self.limits = limits
            guard let handle = archive_read_new() else { fatalError("internal error: no memory for an archive") }
            self.handle = handle
            isZip = file.name.lowercased().hasSuffix(".zip")
            locale = tributary_utf8_locale()
            if isZip {
                archive_read_support_format_zip_seekable(handle)
                try check(file.withPath { archive_read_open_filename(handle, $0, 64 << 10) })
            } else {
                archive_read_support_format_tar(handle)
                let raw = try file.open()
                stream = try DecodedStream.inflate(raw, limits).0
                // The reader outlives the archive, which it frees.
                let context = Unmanaged.passUnretained(self).toOpaque()
                try check(
                    archive_read_open(
                        handle, context, nil,
                        { _, context, start in
                            guard let context, let start else { return -1 }
                            return Unmanaged<ArchiveReader>.fromOpaque(context).takeUnretainedValue().refill(start)
                        }, nil))
            }
        }

        deinit {
            archive_read_free(handle)
            if let locale { freelocale(locale) }
            buffer.deallocate()
        }

        func cancel() { stream?.cancel() }

        /// Reads plain bytes of a tar archive into `buffer`; 0 at the end.
        private func refill() throws -> Int {
            do {
                return try stream?.read(into: buffer) ?? 0
            } catch let error as JSONError {
                throw JSONError(
                    error.code, "the archive \(Excerpt.escape(file.name)): \(error.reason)", hint: error.hint)
            }
        }

        private func refill(_ start: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
            do {
                start.pointee = UnsafeRawPointer(buffer.baseAddress)
                return try refill()
            } catch {
                failure = error
                return -1
            }
        }

        /// The next member; nil at the end.
        func next() throws -> Entry? {
            let earlier = locale.flatMap { uselocale($0) }
            defer { if let earlier { uselocale(earlier) } }
            var entry: OpaquePointer?
            let result = archive_read_next_header(handle, &entry)
            if result == ARCHIVE_EOF {
                // The checksum after the last member tells whether the compressed bytes are whole.
                while try refill() > 0 {}
                return nil
            }
            try check(result)
            index += 1
            produced = 0
            let size = archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
            let isFile = archive_entry_filetype(entry) & S_IFMT == S_IFREG
            let name = archive_entry_pathname(entry).map { String(cString: $0) }
            if isFile, name == nil {
                throw JSONError(
                    .compressionCorrupt,
                    "the archive \(Excerpt.escape(file.name)): the name of file \(index + 1) is not valid UTF-8",
                    hint: "unpack it first, and name its files")
            }
            return Entry(index: index, name: name ?? "", isFile: isFile, size: size)
        }

        /// Refuses a member that is encrypted, or compressed in a way whose memory only the archive limits.
        func checkReadable() throws {
            guard isZip else { return }
            let method = archive_format_name(handle).map { String(cString: $0) } ?? ""
            guard method.contains("uncompressed") || method.contains("deflation") else {
                throw JSONError(
                    .compressionUnavailable, "\(Excerpt.escape(file.name)) uses the zip method \(method)",
                    hint: "unpack it first, as with unzip -p FILE, and read the output")
            }
        }

        /// Reads bytes of the current member; 0 at its end.
        func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
            let count = archive_read_data(handle, target.baseAddress, target.count)
            if count < 0 {
                try check(Int32(truncatingIfNeeded: count))
                // A warning about data is damage, such as a wrong checksum.
                throw damaged()
            }
            produced += count
            if isZip, produced > 64 << 20 {
                let stored = Int(archive_filter_bytes(handle, -1))
                if produced / max(1, limits.ratio) > stored {
                    throw JSONError(
                        .compressionBomb,
                        "\(Excerpt.escape(file.name)) decompresses to more than \(limits.ratio) times its size")
                }
            }
            return count
        }

        private func check(_ result: Int32) throws {
            guard result < ARCHIVE_OK else { return }
            if let failure { throw failure }
            // A warning, as about a name in another encoding, still gives the member; without a name it is refused.
            if result == ARCHIVE_WARN { return }
            throw damaged()
        }

        private func damaged() -> JSONError {
            let reason = archive_error_string(handle).map { String(cString: $0) } ?? "it cannot be read"
            return JSONError(.compressionCorrupt, "the archive \(Excerpt.escape(file.name)) is damaged: \(reason)")
        }
    }
#endif
