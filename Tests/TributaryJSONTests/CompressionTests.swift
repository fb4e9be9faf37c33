#if Gzip && Zstd && Bzip2 && Xz
    import Foundation
    import Testing
    import TributaryJSON
    import TributaryTestSupport

    /// Compressed input in every format: valid, in several members, truncated, damaged, hostile.
    @Suite struct CompressionTests {
        private static let plain = Dump(.users, count: 60).bytes
        private static let expected = Reading(MemorySource(plain))

        private func read(_ bytes: [UInt8], _ options: ReadOptions = ReadOptions()) -> Reading {
            Reading(MemorySource(bytes), options)
        }

        @Test(
            "A compressed source is recognized by its first bytes and read like the plain one",
            arguments: Compressor.allCases)
        func isKnownByItsFirstBytes(_ compressor: Compressor) {
            let packed = compressor.compress(Self.plain)
            #expect(packed.count < Self.plain.count)
            #expect(read(packed).records == Self.expected.records)
            #expect(
                read(packed).places.map { $0.split(separator: " ")[0] }
                    == Self.expected.places.map { $0.split(separator: " ")[0] })
            for size in [1, 5, 100] {
                #expect(Reading(PieceSource(packed, every: size)).records == Self.expected.records)
            }
            #expect(read(packed, ReadOptions { $0.bufferBytes = 1 }).records == Self.expected.records)
        }

        @Test("Compressed fixtures of common tools are read like the plain dump")
        func fixturesOfTheUsualTools() throws {
            let folder = Tool.package.appending(path: "Fixtures/compressed")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count == 9)
            let expected = Reading(MemorySource(Dump(.users, count: 8).bytes)).records
            for name in names {
                #expect(Reading(FileSource(folder.appending(path: name).path)).records == expected, "\(name)")
            }
        }

        @Test("Consecutive compressed members are read as one text", arguments: Compressor.allCases)
        func membersFollowOneAnother(_ compressor: Compressor) {
            let parts = stride(from: 0, to: Self.plain.count, by: 1000).map { start in
                compressor.compress(Array(Self.plain[start..<min(start + 1000, Self.plain.count)]))
                    + compressor.compress([])
            }
            #expect(read(parts.flatMap { $0 }).records == Self.expected.records)
        }

        @Test("A truncated compressed source is an error after the complete records", arguments: Compressor.allCases)
        func everyTruncationIsAnError(_ compressor: Compressor) {
            let packed =
                compressor.compress(Array(Self.plain[..<3000])) + compressor.compress(Array(Self.plain[3000...]))
            let border = compressor.compress(Array(Self.plain[..<3000])).count
            for length in stride(from: 7, to: packed.count, by: 11) where length != border {
                let reading = read(Array(packed[..<length]))
                #expect(
                    reading.failure?.code == .compressionTruncated || reading.failure?.code == .compressionTrailing,
                    "\(length): \(reading.failure as Any)")
                #expect(reading.failure?.reason.contains("at compressed byte") == true)
                // The records before the end are kept.
                #expect(Self.expected.records.starts(with: reading.records))
            }
            // Between two members the stream is complete, but the text is not.
            #expect(read(Array(packed[..<border])).failure?.code == .syntaxTruncated)
        }

        @Test("A damaged byte of a compressed source is an error or changes no record", arguments: Compressor.allCases)
        func damageNeverPassesInSilence(_ compressor: Compressor) {
            var random = SeededGenerator.fresh()
            let packed = compressor.compress(Self.plain)
            for _ in 0..<200 {
                var damaged = packed
                let offset = 7 + random.below(packed.count - 7)
                damaged[offset] ^= UInt8(1 + random.below(255))
                let reading = read(damaged)
                let isSame = reading.records == Self.expected.records && reading.failure == nil
                // Unused header fields, such as the time in gzip, may change.
                #expect(reading.failure != nil || isSame, "byte \(offset), seed \(random.seed)")
            }
        }

        @Test("Other bytes after a compressed stream are an error after all records", arguments: Compressor.allCases)
        func somethingElseBehindIsAnError(_ compressor: Compressor) {
            let packed = compressor.compress(Self.plain)
            for tail in [Array("garbage".utf8), [0, 0, 1], Array("[1]".utf8)] {
                let reading = read(packed + tail)
                #expect(reading.failure != nil)
                #expect(reading.records == Self.expected.records)
            }
        }

        @Test("Zero padding after gzip and xz is permitted")
        func zeroPaddingIsPermittedWhereToolsLeaveIt() {
            #expect(read(Compressor.gzip.compress(Self.plain) + Array(repeating: 0, count: 512)).failure == nil)
            #expect(read(Compressor.xz.compress(Self.plain) + Array(repeating: 0, count: 8)).failure == nil)
        }

        @Test(
            "A source that is compressed twice is refused, with the names of both formats",
            arguments: Compressor.allCases, Compressor.allCases)
        func twiceIsRefusedByName(_ outer: Compressor, _ inner: Compressor) {
            let failure = read(outer.compress(inner.compress(Self.plain))).failure
            #expect(failure?.code == .compressionNested)
            #expect(failure?.reason == "the input is compressed twice: \(inner) within \(outer)")
        }

        @Test("A source that expands beyond the ratio limit is refused")
        func bombsAreDefused() {
            let blanks = Array("[1,".utf8) + Array(repeating: UInt8(ascii: " "), count: 80 << 20) + Array("2]".utf8)
            let packed = Compressor.zstd.compress(blanks)
            #expect(packed.count < 20_000)
            let reading = read(packed)
            #expect(reading.failure?.code == .compressionBomb)
            #expect(read(packed, ReadOptions { $0.limits.ratio = 100_000 }).records == ["1", "2"])
        }

        @Test("A zstd or xz stream with a window beyond the limit is refused")
        func windowsAreLimited() {
            let options = ReadOptions { $0.limits.window = 64 << 10 }
            #expect(read(Compressor.xz.compress(Self.plain), options).failure?.code == .compressionWindow)
            let large = Dump(.users, count: 3000).bytes
            #expect(read(Compressor.zstd.compress(large), options).failure?.code == .compressionWindow)
            #expect(read(Compressor.gzip.compress(large), options).failure == nil)
        }

        @Test("An unsupported archive is refused by name, with a way to unpack it")
        func otherArchivesAreRefusedByName() {
            let magics: [([UInt8], String)] = [
                ([0x50, 0x4B, 3, 4, 0, 0], "a zip archive whose name does not end in .zip"),
                ([0x04, 0x22, 0x4D, 0x18, 0, 0], "compressed with lz4"),
                ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
                ([0x1F, 0x9D, 0x90, 0, 0, 0], "compressed with compress"),
            ]
            for (magic, name) in magics {
                let failure = read(magic).failure
                #expect(failure?.code == .compressionUnavailable)
                #expect(failure?.reason == "the input is \(name)")
                #expect(failure?.hint?.contains("unpack it first") == true)
            }
        }

        @Test("100,000 empty gzip members before the text are read")
        func aMillionEmptyMembers() {
            let empty = Compressor.gzip.compress([])
            let many = Array(repeatElement(empty, count: 100_000).joined())
            #expect(read(many + Compressor.gzip.compress(Self.plain)).records == Self.expected.records)
        }
    }
#endif
