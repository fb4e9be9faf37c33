import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Fingerprints that tell whether a source has changed since it was read.
@Suite struct SourceFingerprintTests {
    private let folder = try? TemporaryFolder()

    /// The fingerprint of a file after three of its records were read.
    private func print(_ text: String, format: RecordFormat = .ndjson) throws -> (SourceFingerprint, FileSource) {
        let source = FileSource(try #require(folder).write(text.utf8, to: "f.ndjson"))
        var print = try SourceFingerprint(of: source)
        var options = ReadOptions()
        options.format = format
        options.chunkRecords = 1
        options.digests = true
        let reader = RecordReader(from: [source], options: options)
        for _ in 0..<3 {
            let chunk = try #require(try reader.next())
            try print.advance(to: chunk.checkpoint, digest: reader.digest(before: chunk.checkpoint), of: source)
        }
        return (try JSONDecoder().decode(SourceFingerprint.self, from: JSONEncoder().encode(print)), source)
    }

    private func write(_ text: String) throws {
        let handle = try FileHandle(forWritingTo: try #require(folder).url.appending(path: "f.ndjson"))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private let reading = ImportIdentity.Reading(limits: ReadLimits(), conversion: TextConversion())
    private let lines = (0..<9).map { "{\"id\":\($0)}\n" }.joined()

    @Test("An unchanged file has the same fingerprint")
    func untouched() throws {
        let (print, source) = try print(lines)
        #expect(print.tail?.length == 27 && print.head?.length == 81 && print.mayGrow)
        #expect(try print.change(in: source, reading) == .same)
    }

    @Test("Lines appended to NDJSON are growth, and bytes after an array are a change")
    func aLogThatHasBecomeLonger() throws {
        let (print, source) = try print(lines)
        try write(lines + "{\"id\":9}\n")
        #expect(try print.change(in: source, reading) == .grown)
        // An array that grows is another array.
        let (array, file) = try self.print("[1,2,3,4]", format: .json)
        try write("[1,2,3,4]  ")
        #expect(try array.change(in: file, reading) == .changed("it has 11 bytes instead of 9"))
    }

    @Test("Other bytes and another size are changes, another modification date is none")
    func otherBytes() throws {
        let (print, source) = try print(lines)
        try write("[" + lines.dropFirst())
        #expect(try print.change(in: source, reading) == .changed("its first bytes differ"))
        try write(String(lines.dropLast(9)))
        #expect(try print.change(in: source, reading) == .changed("it has 72 bytes instead of 81"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: source.path)
        try write(lines)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: source.path)
        #expect(try print.change(in: source, reading) == .same)
        try FileManager.default.removeItem(atPath: source.path)
        #expect(throws: JSONError.self) { try print.change(in: source, reading) }
    }

    @Test("A change just before the checkpoint is detected, and growth after it is not one")
    func beforeTheCheckpointAndAfterTheHead() throws {
        let pad = String(repeating: " ", count: 100_000)
        let text = "{\"id\":0}\(pad)\n{\"id\":1}\(pad)\n{\"id\":2}\n{\"id\":3}\n{\"id\":4}\n"
        let (print, source) = try print(text)
        #expect(print.tail?.length == SourceFingerprint.windowBytes)
        try write(text.replacing("\"id\":2", with: "\"id\":7"))
        #expect(
            try print.change(in: source, reading)
                == .changed("the bytes before the position where reading stopped differ"))
        try write(text + "{}\n")
        #expect(try print.change(in: source, reading) == .grown)
    }

    @Test("A pipe counts as unchanged until it is read, unless its name differs")
    func pipesAreComparedWhenTheyAreRead() throws {
        let print = try SourceFingerprint(of: DescriptorSource.standardInput)
        #expect(print.size == nil && print.name == "standard input")
        #expect(try print.change(in: DescriptorSource.standardInput, reading) == .same)
        #expect(
            try print.change(in: MemorySource([1], name: "other"), reading)
                == .changed("it is other, not standard input"))
    }
}
