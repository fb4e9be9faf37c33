import Testing
import TributaryJSON
import TributaryTestSupport

/// After a damaged record, the next one is found, and the whole damaged one is in the rejects.
@Suite struct RecoveryTests {
    private static func quarantine(_ path: RecordPath? = nil) -> ReadOptions {
        var options = ReadOptions()
        options.onError = .quarantine
        options.paths = path.map { [$0] }
        return options
    }

    // MARK: Examples

    @Test(
        "Exactly the damaged element of an array is rejected, and reading continues",
        arguments: [
            // The rejected part is between « and ».
            "[{\"id\":1},«{\"id\":x}»,{\"id\":3}]", "[{\"id\":1},«{\"id\":\"a\nb\"}»,{\"id\":3}]", "[1,2,«x»,4]",
            "[1,«tru»,3]", "[«x»,2]", "[1,«x»]",
            "[{\"id\":1},«{\"id\" 2}»,{\"id\":3},{\"id\":4}]", "[{\"id\":1},«{\"id\":2,}»,{\"id\":3}]",
            "[{\"id\":1},«{id:2}»,{\"id\":3}]",
            "[{\"id\":1,\"n\":\"x\"},«{\"id\":2,\"n\":\"x}»,{\"id\":3,\"n\":\"y\"},{\"id\":4,\"n\":\"z\"}]",
            "[{\"id\":1,\"t\":[1]},«{\"id\":2,\"t\":[1}»,{\"id\":3,\"t\":[1]},{\"id\":4,\"t\":[]}]",
            "[{\"id\":1},«{\"id\":2»,{\"id\":3},{\"id\":4},{\"id\":5}]",
            "[[1],«[2,x]»,[3]]", "[\"a\",«\"b\\q\"»,\"c\"]",
            "[{\"a\":1},«{\"a\":01}»,{\"a\":2}]",
            "[{\"id\":1}«x»,{\"id\":3}]", "[1,«\"\\uD800\"»,3]", "[1,«\u{C}2»,3]",
            "[{\"a\":{\"b\":1}},«{\"a\":{\"b\":}}»,{\"a\":{\"b\":3}}]",
        ])
    func inAnArray(_ marked: String) {
        check(marked, .elements)
    }

    @Test(
        "Exactly the damaged member of an object is rejected, and reading continues",
        arguments: [
            "{\"a\":{\"x\":1},«\"b\":{\"x\":tru}»,\"c\":{\"x\":3}}",
            "{\"a\":{\"x\":1},«\"b\" {\"x\":2}»,\"c\":{\"x\":3}}",
            "{\"a\":{\"x\":1},«b:2»,\"c\":{\"x\":3}}",
            "{«\"a\":{\"x\":01}»,\"c\":{\"x\":3}}",
        ])
    func inAnObject(_ marked: String) {
        check(marked, .members)
    }

    @Test(
        "Damage outside of the records or in one of them is one reject",
        arguments: [
            ("{\"m\":{\"k\":«x»},\"rows\":[{\"i\":1},{\"i\":2}]}", 2),
            ("{\"rows\":[{\"i\":1},«{\"i\":}»,{\"i\":3}],\"n\":1}", 2),
            ("{\"rows\":[{\"i\":1},{\"i\":2}],\"n\":«x»}", 2), ("{\"a\":1,«\"b\" 2»,\"rows\":[{\"i\":1}]}", 1),
        ])
    func underAKey(_ marked: String, _ count: Int) throws {
        let (text, _) = unmarked(marked)
        let reading = Reading(text, Self.quarantine(".rows[]"))
        #expect(reading.failure == nil)
        #expect(reading.records.count == count, "\(reading)")
        #expect(reading.rejects.count == 1)
    }

    @Test("Damage among texts that look like records costs a bounded share of the bytes read")
    func boundedVerification() throws {
        // Each comma of a damaged record may be a border, which only its end disproves.
        let damaged = "[x" + String(repeating: ",[]", count: 10_000) + "]"
        let text = "[[1],[2]," + Array(repeating: damaged + ",[3],[4]", count: 6).joined(separator: ",") + "]"
        var options = Self.quarantine(.elements)
        options.digests = true
        let reader = RecordReader(from: MemorySource(text.utf8), options: options)
        var (records, rejects) = (0, 0)
        while let chunk = try reader.next() {
            records += chunk.count
            rejects += chunk.rejects.count
        }
        #expect(records == 14 && rejects == 6)
        #expect(reader.report.verifiedBytes < 2 << 20 + 10 * text.utf8.count)
    }

    private func unmarked(_ marked: String) -> (text: String, cut: [UInt8]) {
        let text = marked.filter { $0 != "«" && $0 != "»" }
        let start = marked.firstIndex(of: "«") ?? marked.startIndex
        let end = marked.firstIndex(of: "»") ?? marked.startIndex
        return (text, Array(marked[start..<end].dropFirst().utf8))
    }

    private func check(_ marked: String, _ path: RecordPath) {
        let (text, cut) = unmarked(marked)
        let whole = Reading([PieceSource([Array(text.utf8)])], Self.quarantine(path))
        #expect(whole.failure == nil)
        #expect(
            whole.rejects.map { String(decoding: $0.raw, as: UTF8.self) } == [String(decoding: cut, as: UTF8.self)],
            "\(whole)")
        for reject in whole.rejects {
            #expect(Array(text.utf8)[reject.offset..<reject.offset + reject.length].elementsEqual(cut))
            #expect(reject.record != nil)
        }
        // The result does not depend on how the bytes are split.
        let bytes = Array(text.utf8)
        for size in [1, 2, 3, 7] {
            let parts = Reading([PieceSource(bytes, every: size)], Self.quarantine(path))
            #expect(parts.difference(from: whole).isEmpty, "\(size): \(parts.difference(from: whole))")
        }
        var stopping = Self.quarantine(path)
        stopping.onError = .stop
        let stopped = Reading([PieceSource([Array(text.utf8)])], stopping)
        #expect(stopped.failure == whole.rejects.first?.error)
        #expect(whole.records.starts(with: stopped.records))
        var skipping = stopping
        skipping.onError = .skip
        let skipped = Reading(text, skipping)
        #expect(skipped.records == whole.records)
        #expect(skipped.rejects.map(\.raw) == [[]])
    }

    @Test("Text after the end of the array is rejected, but records in it are read")
    func behindTheEndOfTheArray() {
        let reading = Reading("[{\"id\":1},{\"id\":2}]\n{\"id\":3},{\"id\":4}]", Self.quarantine(.elements))
        #expect(reading.records.count == 4, "\(reading)")
        #expect(reading.rejects.map(\.error.code) == [.syntaxTrailing])
        let garbage = Reading("[1,2] \"abc", Self.quarantine(.elements))
        #expect(garbage.records == ["1", "2"])
        #expect(garbage.rejects.map(\.error.code) == [.syntaxTrailing])
        #expect(garbage.rejects.map { $0.offset + $0.length } == [10])
    }

    @Test("The incomplete end of a truncated array is one reject")
    func anArrayThatIsCutOff() {
        for text in ["[{\"id\":1},{\"id\":2},{\"i", "[{\"id\":1},{\"id\":2},", "[{\"id\":1},{\"id\":2}"] {
            let reading = Reading(text, Self.quarantine(.elements))
            #expect(reading.records.count == 2)
            #expect(reading.rejects.map(\.error.code) == [.syntaxTruncated])
        }
    }

    @Test("An array with a missing or damaged first bracket keeps its other records")
    func theFirstBracketIsMissing() {
        for text in [
            "x{\"id\":1},\n{\"id\":2},\n{\"id\":3}]", "{\"id\":1},\n{\"id\":2},\n{\"id\":3}]",
            "{{\"id\":1},\n{\"id\":2},\n{\"id\":3}]",
        ] {
            let reading = Reading(text, Self.quarantine())
            #expect(reading.records.count >= 2, "\(text): \(reading)")
            #expect(!reading.rejects.isEmpty)
        }
    }

    @Test("A stray opening bracket is rejected, and all records after it are read")
    func aBracketThatSwallowsTheRest() {
        let records = (0..<200).map { "{\"id\":\($0),\"name\":\"n\($0)\"}" }
        let text = "[" + records[..<50].joined(separator: ",") + ",[" + records[50...].joined(separator: ",") + "]"
        for (piece, limit) in [(100, 16 << 20), (100_000, 16 << 20), (100, 1000)] {
            var options = Self.quarantine(.elements)
            options.limits.record = limit
            options.chunkBytes = 4096
            let reading = Reading([PieceSource(Array(text.utf8), every: piece)], options)
            #expect(reading.records == records, "\(piece) \(limit): \(reading.records.count)")
            #expect(reading.rejects.map(\.raw).first == Array("[".utf8))
        }
        // An array that is closed is a record like any other.
        #expect(Reading(text + "]", Self.quarantine(.elements)).records.count == 51)
    }

    @Test("A damaged line of NDJSON does not affect the lines around it")
    func linesAreAloneWithTheirDamage() {
        let text = "{\"a\":1}\n{\"a\":\n{\"a\":3}\n\"x\n{\"a\":4} {\"a\":5}\n\n{\"a\":6}"
        let whole = Reading([PieceSource([Array(text.utf8)])], Self.quarantine())
        #expect(whole.records == ["{\"a\":1}", "{\"a\":3}", "{\"a\":6}"])
        #expect(
            whole.rejects.map { String(decoding: $0.raw, as: UTF8.self) } == ["{\"a\":", "\"x", "{\"a\":4} {\"a\":5}"])
        #expect(whole.rejects.map(\.record) == [2, 4, 5])
        for size in 1...9 {
            #expect(
                Reading([PieceSource(Array(text.utf8), every: size)], Self.quarantine()).difference(from: whole) == "")
        }
    }

    @Test("Exactly the damaged one of several concatenated values is rejected")
    func valuesOneBehindTheOther() {
        let text = "{\"a\":1,\n\"b\":2}\n{\"a\":3,\n\"b\":x}\n{\"a\":5,\n\"b\":6}\n{\"a\":7,\"b\":8}"
        let reading = Reading(text, Self.quarantine())
        #expect(reading.records.count == 3, "\(reading)")
        #expect(reading.rejects.map { String(decoding: $0.raw, as: UTF8.self) } == ["{\"a\":3,\n\"b\":x}"])
    }

    @Test("The search for the next record ends at the recovery limit")
    func theSearchIsBounded() {
        var options = Self.quarantine(.elements)
        options.limits.recovery = 50_000
        // After the open quote, nothing looks like a record for 200,000 bytes.
        let text = "[{\"id\":1},{\"id\":\"" + String(repeating: "y", count: 200_000) + "],{\"id\":3}]"
        let reading = Reading(text, options)
        #expect(reading.failure?.code == .recoveryLost)
        #expect(reading.records == ["{\"id\":1}"])
        #expect(reading.rejects.count == 1)
        options.limits.recovery = 16 << 20
        #expect(Reading(text, options).failure == nil)
    }

    // MARK: Random damage

    /// Of n records with k damaged bytes, at least n - 2k are read, and the other bytes are in the rejects.
    @Test("Each damaged byte loses at most two records and alters at most one", arguments: 0..<12)
    func atMostTwoRecordsForEachDamagedByte(_ part: Int) {
        var random = SeededGenerator.sampled(2026)
        for _ in 0..<part { _ = random.next() }
        let seed = random.seed
        for round in 0..<40 {
            let writer = RecordWriter(
                style: random.pick(RecordWriter.Style.allCases), hasItems: random.once(in: 2),
                hasChildren: random.once(in: 3))
            let count = random.pick([20, 60, 300])
            let damages = random.pick([1, 1, 2, 5])
            let records = (0..<count).map { writer.record($0, &random) }
            var bytes = Array(writer.array(records).utf8)
            for _ in 0..<damages {
                let place = random.below(bytes.count)
                bytes[place] =
                    random.once(in: 2) ? UInt8(random.below(256)) : random.pick(Array("{}[]\",:\\ 0a\n".utf8))
            }
            let reading = Reading([PieceSource(bytes, every: random.pick([50, 1000, 100_000]))], Self.quarantine())
            let known = Set(records.map(writer.compact))
            let altered = reading.records.count { !known.contains($0) }
            let comment =
                "seed \(seed), part \(part), round \(round): \(reading.records.count) of \(count), \(damages) damaged, \(writer)"
            if reading.records.count < count - 2 * damages || altered > damages {
                Evidence.keep(bytes, as: "\(seed)-\(part)-\(round).json")
                Evidence.keep(Array(writer.array(records).utf8), as: "\(seed)-\(part)-\(round).orig")
            }
            #expect(reading.failure == nil, "\(comment): \(reading.failure as Any)")
            #expect(reading.records.count >= count - 2 * damages, "\(comment)")
            #expect(altered <= damages, "\(comment)")
            for reject in reading.rejects {
                let cut = bytes[reject.offset..<min(bytes.count, reject.offset + reject.length)]
                #expect(cut.starts(with: reject.raw), "\(comment)")
            }
        }
    }
}

/// Writes records that make recovery difficult: brackets and quotes in text, arrays of objects that look like records.
struct RecordWriter: Sendable {
    enum Style: CaseIterable, Sendable { case compact, spaced, lines, pretty }
    let style: Style
    let hasItems: Bool
    let hasChildren: Bool

    private func word(_ random: inout SeededGenerator) -> String {
        (0..<random.below(9)).map { _ in
            random.pick(["a", "b", "{", "}", "[", "]", ",", ":", " ", "\\\"", "\\\\", "é", "\\n", "},{"])
        }.joined()
    }

    /// The members of a record, with a `~` at each position of optional blanks.
    func record(_ id: Int, _ random: inout SeededGenerator) -> [String] {
        var members = [
            "\"id\":~\(id)", "\"name\":~\"\(word(&random))\"", "\"mail\":~\"u\(id)@x.com\"",
            "\"ok\":~\(random.pick(["true", "false", "null"]))",
        ]
        members.append("\"address\":~{\"street\":~\"\(word(&random))\",~\"zip\":~\"0\(1000 + random.below(9000))\"}")
        members.append(
            "\"tags\":~[" + (0..<random.below(4)).map { _ in "\"\(word(&random))\"" }.joined(separator: ",~") + "]")
        if hasItems {
            members.append(
                "\"items\":~["
                    + (0..<random.below(4)).map { _ in "{\"id\":~\(random.below(9)),~\"q\":~0.\(random.below(99))}" }
                    .joined(separator: ",~") + "]")
        }
        if hasChildren {
            members.append(
                "\"children\":~["
                    + (0..<random.below(4)).map { _ in
                        "{\"id\":~\(random.below(9)),~\"name\":~\"\(word(&random))\",~\"mail\":~\"x\",~\"ok\":~true,~\"tags\":~[],~\"children\":~[]}"
                    }.joined(separator: ",~") + "]")
        }
        return members
    }

    func compact(_ record: [String]) -> String {
        "{" + record.joined(separator: ",").replacing("~", with: "") + "}"
    }

    func array(_ records: [[String]]) -> String {
        switch style {
        case .compact: return "[" + records.map(compact).joined(separator: ",") + "]"
        case .spaced:
            return "["
                + records.map { "{" + $0.joined(separator: ", ").replacing("~", with: " ") + "}" }.joined(
                    separator: ", ") + "]"
        case .lines: return "[\n" + records.map(compact).joined(separator: ",\n") + "\n]\n"
        case .pretty:
            let items = records.map {
                "  {\n    " + $0.joined(separator: ",\n    ").replacing("~", with: " ") + "\n  }"
            }
            return "[\n" + items.joined(separator: ",\n") + "\n]\n"
        }
    }
}
