/// The JSON files in a tar or zip archive.
///
///     for source in try ArchiveMembers.sources(of: FileSource("dump.zip")) { … }
///
/// The files are read one after the other, without unpacking them to disk. A tar archive may be compressed.
public enum ArchiveMembers {
    /// Whether a file is an archive, by its name.
    public static func isArchive(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["zip", "tar", "tgz", "tar.gz", "tar.zst", "tar.xz", "tar.bz2"].contains { name.hasSuffix("." + $0) }
    }

    /// Whether a file has JSON, by its name.
    package static func isJSON(_ name: String) -> Bool {
        var name = (name.split(separator: "/").last.map(String.init) ?? "").lowercased()
        for ending in [".gz", ".zst", ".bz2", ".xz"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        let endings = ["json", "ndjson", "jsonl", "ldjson", "jsonlines", "geojson", "json-seq"]
        return !name.hasPrefix(".") && endings.contains { name.hasSuffix("." + $0) }
    }

    /// The JSON files in an archive, in their order.
    ///
    /// - Throws: `JSONError` if it cannot be read, or has no JSON file.
    public static func sources(of file: FileSource, limits: ReadLimits = ReadLimits()) throws -> [any ByteSource] {
        #if Archive
            let sources = try ArchiveFile(file, limits: limits).members()
            guard !sources.isEmpty else {
                throw JSONError(
                    .sourceOpen, "\(Excerpt.escape(file.name)) has no file whose name ends like one of JSON",
                    hint: "unpack it, and name its files")
            }
            return sources
        #else
            throw JSONError(
                .compressionUnavailable, "\(Excerpt.escape(file.name)) is an archive, which this build leaves out",
                hint: "build with the package trait Archive, or unpack it first")
        #endif
    }
}

extension ByteSource {
    /// The file that has the bytes of the source: the file itself, or the archive that has it as a member.
    package var file: FileSource? {
        #if Archive
            if let member = self as? ArchiveMember { return member.archive.file }
        #endif
        return self as? FileSource
    }
}
