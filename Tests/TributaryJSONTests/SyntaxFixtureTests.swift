import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Every file of `Fixtures/syntax`, whole and split at every byte: verdict, code and position.
@Suite struct SyntaxFixtureTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        /// The code and the offset of the expected error; nil if the file is valid, no offset if the error has none.
        let expectation: (code: String, offset: Int?)?
        var testDescription: String { name }
    }

    static let fixtures: [Fixture] = {
        let folder = Tool.package.appending(path: "Fixtures/syntax")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { name in
            let bytes = Array((try? Data(contentsOf: folder.appending(path: name))) ?? Data())
            let parts = name.split(separator: "_", maxSplits: 3).map(String.init)
            return Fixture(
                name: name, bytes: bytes, expectation: parts[0] == "reject" ? (parts[1], Int(parts[2])) : nil)
        }
    }()

    static func validating() -> ReadOptions {
        var options = ReadOptions()
        options.format = .json
        options.paths = []
        return options
    }

    @Test("The syntax fixtures are complete, and each name states its verdict")
    func eachClassIsThere() {
        #expect(Self.fixtures.count { $0.expectation == nil } == 36)
        #expect(Self.fixtures.count { $0.expectation != nil } == 81)
        #expect(Self.fixtures.allSatisfy { $0.name.hasPrefix("accept_") || $0.name.hasPrefix("reject_") })
    }

    @Test("A syntax fixture is accepted, or rejected with the expected code and offset", arguments: fixtures)
    func verdictIsTheExpectedOne(_ fixture: Fixture) {
        let reading = Reading(MemorySource(fixture.bytes), Self.validating())
        #expect(reading.failure?.code.rawValue == fixture.expectation?.code, "\(reading.failure as Any)")
        if let offset = fixture.expectation?.offset { #expect(reading.failure?.position?.byte == offset) }
    }

    @Test("The verdict on a syntax fixture does not depend on how it is split", arguments: fixtures)
    func verdictDoesNotDependOnTheCut(_ fixture: Fixture) {
        let whole = Reading(PieceSource([fixture.bytes]), Self.validating())
        for cut in 0..<fixture.bytes.count {
            let parts = Reading(PieceSource(fixture.bytes, cutAt: cut), Self.validating())
            #expect(parts == whole, "cut at \(cut): \(parts.difference(from: whole))")
        }
        for size in [1, 2, 3, 7, 16] {
            let parts = Reading(PieceSource(fixture.bytes, every: size), Self.validating())
            #expect(parts == whole, "pieces of \(size): \(parts.difference(from: whole))")
        }
    }

    @Test("A line of NDJSON is accepted exactly if it is a valid text by itself", arguments: fixtures)
    func recordsAreAsStrictAsTexts(_ fixture: Fixture) throws {
        // Only texts that can be a single line.
        let isPlain =
            !fixture.bytes.contains(0x0A) && !fixture.bytes.starts(with: [0xEF]) && !fixture.bytes.starts(with: [0xFF])
        guard isPlain, !fixture.name.contains("utf16"), !fixture.name.contains("utf32"), !fixture.name.contains("deep"),
            !fixture.name.contains("empty"), !fixture.name.contains("blanks")
        else { return }
        var options = ReadOptions()
        options.format = .ndjson
        options.onError = .quarantine
        let line = Array("{\"id\":1}\n".utf8)
        let lines = Reading(MemorySource(line + fixture.bytes + [0x0A] + line), options)
        #expect(lines.records.first == "{\"id\":1}")
        #expect(lines.records.last == "{\"id\":1}")
        #expect(lines.records.count == (fixture.expectation == nil ? 3 : 2), "\(lines)")
        #expect(lines.rejects.count == (fixture.expectation == nil ? 0 : 1))
    }
}
