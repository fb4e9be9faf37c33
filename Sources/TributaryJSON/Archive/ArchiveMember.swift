#if Archive
    /// A file in an archive.
    struct ArchiveMember: ByteSource {
        let archive: ArchiveFile
        let entry: ArchiveReader.Entry

        var name: String { archive.file.name + "/" + entry.name }

        var byteCount: Int? { entry.size }

        func open() throws -> any ByteStream { try archive.open(entry) }
    }
#endif
