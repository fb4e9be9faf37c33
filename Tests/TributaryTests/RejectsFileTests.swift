import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

import Tributary

/// The file in which an import keeps what it has rejected.
@Suite struct RejectsFileTests {
    private let folder = try? TemporaryFolder()

    private func path(_ name: String = "bad.ndjson") throws -> String { try #require(folder).path(name) }

    private func reject(_ raw: some Sequence<UInt8>, record: Int = 3, length: Int? = nil) throws -> Reject {
        let bytes = Array(raw)
        let text = Array("[".utf8) + bytes + Array("]".utf8)
        var options = ReadOptions()
        options.onError = .quarantine
        options.limits.rejectedBytes = length ?? 1 << 20
        let chunk = try RecordReader(from: [MemorySource(text, name: "dump.json")], options: options).next()
        return try #require(chunk?.rejects.first)
    }

    private func lines(_ path: String) throws -> [RejectsReader.Entry] {
        var reader = RejectsReader(path: path)
        var entries: [RejectsReader.Entry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    @Test func nothingIsMadeBeforeThereIsSomethingToSay() throws {
        let file = try RejectsFile(path: path())
        try file.restart()
        try file.sync()
        #expect(!FileManager.default.fileExists(atPath: try path()))
        try file.append(try reject("{\"id\":x}".utf8), of: RejectOrigin(run: 7, entity: "User", path: "[]"))
        let length = file.length
        try file.sync()
        #expect(try #require(folder).read("bad.ndjson").count == length)
    }

    @Test func aLineTellsAllThatTryingAgainNeeds() throws {
        let file = try RejectsFile(path: path())
        let notText = Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        let keyed = RejectOrigin(
            run: 7, entity: "User", path: ".users{}", key: .init("ü\"1", as: "_key"), code: "key.null")
        try file.append(try reject("{\"id\":x}".utf8), of: keyed)
        try file.append(try reject(notText), of: RejectOrigin(run: 7))
        try file.append(try reject("{\"id\":\"long\" x}".utf8, length: 4), of: RejectOrigin(run: 8, entity: "User"))
        try file.sync()
        let entries = try lines(path())
        try #require(entries.count == 3)
        guard case .line(let first) = entries[0], case .line(let second) = entries[1],
            case .line(let third) = entries[2]
        else { return #expect(Bool(false)) }
        #expect(first.origin == keyed && first.code == "key.null" && first.raw == Array("{\"id\":x}".utf8))
        #expect(first.position?.file == "dump.json" && first.record == 1 && first.canBeRetried && first.number == 1)
        #expect(second.raw == notText && second.origin == RejectOrigin(run: 7, code: second.code))
        #expect(second.code == "text.utf8")
        #expect(third.isTruncated && !third.canBeRetried && third.number == 3)
        #expect(
            String(decoding: first.text, as: UTF8.self).hasPrefix("{\"run\":7,\"entity\":\"User\",\"at\":\".users{}\",")
        )
    }

    @Test func linesThatAnEditHasBrokenAreKept() throws {
        let path = try #require(folder).write(
            "{\"raw\":\"1\"}\n{\"raw\":\n\n{\"raw\":\"\"}\n{}\n".utf8, to: "edited.ndjson")
        let entries = try lines(path)
        #expect(
            entries.map { String(decoding: $0.text, as: UTF8.self) } == [
                "{\"raw\":\"1\"}", "{\"raw\":", "{\"raw\":\"\"}", "{}",
            ])
        guard case .unreadable(_, let error) = entries[1] else { return #expect(Bool(false)) }
        #expect(error.position?.line == 2)
        for entry in entries[2...] {
            guard case .line(let line) = entry else { return #expect(Bool(false)) }
            #expect(!line.canBeRetried && line.origin == nil)
        }
    }

    @Test func whatIsNotCountedIsCutOff() throws {
        let one = try reject("{\"id\":x}".utf8)
        var file: RejectsFile? = try RejectsFile(path: path())
        try file?.append(one, of: RejectOrigin(run: 1))
        try file?.sync()
        let counted = try #require(file).length
        try file?.append(one, of: RejectOrigin(run: 1))
        try file?.append(one, of: RejectOrigin(run: 1))
        try file?.sync()
        file = nil
        let again = try RejectsFile(path: path())
        #expect(again.length > counted)
        try again.cut(to: counted)
        try again.append(one, of: RejectOrigin(run: 1))
        try again.sync()
        #expect(again.length == 2 * counted)
        #expect(try lines(path()).count == 2)
        // What stands in memory only is cut off as well.
        try again.append(one, of: RejectOrigin(run: 1))
        try again.cut(to: 0)
        try again.sync()
        #expect(try #require(folder).read("bad.ndjson").isEmpty)
    }

    /// A process that is being started has all descriptors for a moment, and with them the lock.
    @Test func whoeverGoesOnMayWriteThoughTheDescriptorLives() throws {
        let path = try path()
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for _ in 0..<2 {
            let file = try RejectsFile(path: path)
            try file.restart()
            try file.append(try reject("{\"id\":x}".utf8), of: RejectOrigin(run: 7, entity: "User", path: "[]"))
            try file.sync()
            var wanted = stat()
            #expect(stat(path, &wanted) == 0)
            let known = copies.count
            for descriptor in 3..<Int32(1024) where !copies.contains(descriptor) {
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_ino == wanted.st_ino, status.st_dev == wanted.st_dev
                else { continue }
                copies.append(dup(descriptor))
                break
            }
            #expect(copies.count == known + 1)
            #expect(throws: RejectsError.self) { _ = try RejectsFile(path: path) }
            withExtendedLifetime(file) {}
        }
        _ = try RejectsFile(path: path)
    }

    @Test func aNewRunDropsWhatAnOlderOneHasLeft() throws {
        let old = try #require(folder).write("old\n".utf8, to: "bad.ndjson")
        let file = try RejectsFile(path: old)
        #expect(try #require(folder).read("bad.ndjson").count == 4)
        try file.restart()
        #expect(try #require(folder).read("bad.ndjson").isEmpty && file.length == 0)
    }

    @Test func aFileThatIsTooShortIsNotTheOneThatWasCounted() throws {
        let file = try RejectsFile(path: path())
        #expect { try file.cut(to: 10) } throws: { "\($0)".contains("is gone, but holds 10 bytes") }
        let short = try RejectsFile(path: try #require(folder).write("x\n".utf8, to: "short.ndjson"))
        #expect { try short.cut(to: 10) } throws: { error in
            "\(error)".contains("it has 2 bytes, but 10 belong") && "\(error)".contains("--restart")
        }
    }

    @Test func aFileThatWasChangedIsNotTheOneThatWasCounted() throws {
        let folder = try #require(folder)
        var file: RejectsFile? = try RejectsFile(path: path())
        try file?.restart()
        for _ in 0..<100 { try file?.append(try reject("{\"id\":x}".utf8), of: RejectOrigin(run: 1)) }
        try file?.sync()
        let (length, hash) = (try #require(file).length, try #require(file).hash)
        file = nil
        var bytes = try folder.read("bad.ndjson")
        bytes.append(contentsOf: Array("more\n".utf8))
        _ = try folder.write(bytes, to: "bad.ndjson")
        file = try RejectsFile(path: path())
        try file?.cut(to: length, hash: hash)
        #expect(try #require(file).hash == hash)
        file = nil
        bytes[length / 2] ^= 1
        _ = try folder.write(bytes, to: "bad.ndjson")
        file = try RejectsFile(path: path())
        #expect { try file?.cut(to: length, hash: hash) } throws: { "\($0)".contains("it has been changed") }
        #expect(try folder.read("bad.ndjson") == bytes)
    }

    @Test func refusedFiles() throws {
        let input = try #require(folder).write("[]".utf8, to: "in.json")
        try FileManager.default.createSymbolicLink(atPath: path("link.json"), withDestinationPath: input)
        let refused = [RejectsFile.Refused("the input in.json", FileIdentity(path: input))]
        #expect { try RejectsFile(path: path("link.json"), refusing: refused) } throws: { error in
            "\(error)".contains("link.json: it is the input in.json; choose another file")
        }
        #expect(throws: RejectsError.self) { try RejectsFile(path: "") }
        #expect(throws: RejectsError.self) { try RejectsFile(path: "/dev/null") }
        #expect(throws: RejectsError.self) { try RejectsFile(path: path("no/such/folder")) }
        let first = try RejectsFile(path: try #require(folder).write([], to: "shared.ndjson"))
        #expect { try RejectsFile(path: first.path) } throws: { "\($0)".contains("another import writes it") }
    }

    @Test func aDryRunKeepsNone() throws {
        let items = try ItemStore()
        let path = items.folder.path("bad.ndjson")
        let text = "[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":7}]"
        func take(dry: Bool) throws -> ImportSummary {
            try items.take(text) {
                $0.rejects = path
                $0.onError = .quarantine
                $0.isDryRun = dry
            }
        }
        #expect(try take(dry: true).rejected == 1)
        #expect(!FileManager.default.fileExists(atPath: path))
        // The real one finds nothing in its way, and a dry run after it leaves what it has kept.
        #expect(try take(dry: false).rejected == 1)
        let kept = try items.folder.read("bad.ndjson")
        #expect(try take(dry: true).rejected == 1)
        #expect(try items.folder.read("bad.ndjson") == kept && !kept.isEmpty)
    }
}
