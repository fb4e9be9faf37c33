#if Archive
    /// A file in an archive.
    struct ArchiveMember: ByteSource {
        /// Where a member is in its archive.
        struct Place: Sendable {
            let index: Int
            let name: String
            let size: Int?
        }

        let archive: ArchiveFile
        private let place: Place

        init(_ archive: ArchiveFile, _ place: Place) {
            self.archive = archive
            self.place = place
        }

        /// The name of the archive and that of the file in it.
        var name: String { archive.name + "/" + place.name }

        var byteCount: Int? { place.size }

        func open() throws -> any ByteStream { try archive.open(place) }
    }
#endif
