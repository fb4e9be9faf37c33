import Foundation
import Testing
import TributaryImport
import TributaryJSON
import TributaryTestSupport

/// Profiles of dumps, made by the library.
@Suite struct ProfileTests {
    private func profile(_ text: String, parsers: Int = 1, limit: Int? = nil) throws -> DumpProfile {
        var reading = ReadOptions()
        reading.parsers = parsers
        return try DumpProfile(of: [MemorySource(Array(text.utf8), name: "dump")], reading: reading, limit: limit)
    }

    private func path(_ profile: DumpProfile, _ names: String...) throws -> PathProfile {
        try names.reduce(profile.records) { path, name in
            let step: PathProfile.Step = name == "[]" ? .elements : name == "{}" ? .values : .member(name)
            return try #require(path.children.first { $0.step == step }, "\(names)")
        }
    }

    @Test("A profile counts the values of each kind, and knows where the first one is")
    func kinds() throws {
        let profile = try profile(
            """
            {"a":1,"b":null}
            {"a":"x","b":[true,false,{"c":2.5}]}
            {"a":2}

            """)
        let a = try path(profile, "a")
        #expect(a[.integer].count == 2 && a[.text].count == 1 && a.type == .mixed)
        #expect(a[.text].first == ValuePlace(source: 0, record: 2, line: 2, byte: 22))
        #expect(try path(profile, "b")[.null].count == 1)
        #expect(try path(profile, "b", "[]").kinds == [.no, .yes, .object])
        #expect(try path(profile, "b", "[]", "c").values?.numbers?.maximum == "2.5")
        #expect(profile.recordCount == 3 && profile.isWhole && profile.damage.count == 0)
    }

    @Test("Names that are equal as strings and have other bytes are two members", arguments: [1, 2])
    func equalNames(_ parsers: Int) throws {
        let lines = (0..<2000).map { "{\"\($0 % 2 == 0 ? "caf\u{E9}" : "cafe\u{301}")\":\($0)}\n" }
        let profile = try profile(lines.joined(), parsers: parsers)
        #expect(profile.records.children.map(\.count) == [1000, 1000])
        #expect(try ProfileCoding.decode(ProfileCoding.encode(profile), from: "p") == profile)
    }

    @Test("Of a key that an object has twice, the last value counts, and the object is reported")
    func repeatedKeys() throws {
        let profile = try profile("[{\"a\":1,\"\\u0061\":2},{\"a\":3}]")
        #expect(try path(profile, "a").values?.numbers?.minimum == "2")
        #expect(profile.records[.duplicateKey].count == 1)
        #expect(profile.records[.duplicateKey].first?.record == 1)
    }

    @Test("Many members with objects are the keys of a dictionary, also if no part of the dump has many")
    func dictionaries() throws {
        let lines = (0..<61).map { "{\"m\":{\"k\($0)\":{\"n\":\($0)},\"k0\":{\"n\":7}}}" }
        for text in [lines, Array(lines.reversed())] {
            let found = try profile(text.joined(separator: "\n"))
            let values = try path(found, "m", "{}")
            #expect(values[.object].count == 121 && values.children.count == 1)
            #expect(try path(found, "m").keys?.different.estimate == 61)
            #expect(try path(found, "m", "{}", "n").values?.different.estimate == 60)
        }
        let fewer = try profile(lines.dropLast().joined(separator: "\n"))
        #expect(try path(fewer, "m").children.count == 60 && !path(fewer, "m").isDictionary)
        var halves = try profile(lines[..<30].joined(separator: "\n"))
        halves.merge(try profile(lines[30...].joined(separator: "\n")))
        #expect(try path(halves, "m").keys?.different.estimate == 61)
    }

    @Test("Millions of different paths are counted in a bounded memory", arguments: [1, 3])
    func manyPaths(_ parsers: Int) throws {
        // 50 × 50 × 50 paths with objects, which are no dictionaries, and further ones inside.
        var lines: [String] = []
        for number in 0..<2500 {
            let inner = (0..<50).map { "\"c\($0)\":{\"d\(number % 7)\":\($0)}" }.joined(separator: ",")
            lines.append("{\"a\(number / 50)\":{\"b\(number % 50)\":{\(inner)}}}")
        }
        let found = try profile(lines.joined(separator: "\n"), parsers: parsers)
        #expect(!found.further.isEmpty && found.further.depth == 2)
        let different = found.further.paths
        let expected = 125_000 + 125_000
        #expect(
            abs(Double(different.estimate - expected)) / Double(expected) <= different.error, "\(different.estimate)")
        #expect(found.further.values == 250_000)
        #expect(found.records.children.count == 50 && found.records.children[0].children.count == 50)
    }

    @Test("The profile is the same for any number of threads, and of hashes that memory holds")
    func anyThreads() throws {
        var lots = SeededGenerator.fresh()
        let seed = lots.seed
        var lines: [String] = []
        for number in 0..<30_000 {
            let code = lots.below(40_000)
            lines.append(
                "{\"id\":\(number),\"email\":\"u\(number)@x.org\",\"code\":\(code),\"o\":{\"id\":\"\(code)\"},\"t\":[\(code % 9),\(number % 1000)]}"
            )
        }
        let text = lines.joined(separator: "\n")
        let one = try profile(text)
        for parsers in [2, 5] {
            let other = try profile(text, parsers: parsers)
            #expect(other == one, "seed \(seed), \(parsers) parsers")
        }
        #expect(one.key(of: [])?.path == [.member("id")])
        let email = try #require(one.keys.first { $0.path == [.member("email")] })
        #expect(email.isKey)
        let inner = try #require(one.keys.first { $0.path == [.member("o"), .member("id")] })
        #expect(!inner.isKey && inner.proof?.repeats == 30_000 - Set(lines.map { $0.split(separator: ":")[3] }).count)
        #expect(!one.keys.contains { $0.path == [.member("code")] })
    }

    @Test("Profiles of two parts merge into that of the whole, but for the proof of its keys")
    func merging() throws {
        let lines = (0..<3000).map { "{\"id\":\($0),\"s\":\"\($0 % 11)\",\"f\":\(Double($0) / 7)}" }
        var parts = try profile(lines[..<1200].joined(separator: "\n"))
        parts.merge(try profile(lines[1200...].joined(separator: "\n")))
        let whole = try profile(lines.joined(separator: "\n"))
        #expect(parts.recordCount == 3000 && parts.sources.count == 2)
        for name in ["id", "s", "f"] {
            let (one, other) = (try path(parts, name), try path(whole, name))
            #expect(one.values?.different == other.values?.different, "\(name)")
            #expect(one.values?.numbers == other.values?.numbers && one.values?.texts == other.values?.texts)
        }
        #expect(parts.keys.map(\.path) == [[.member("id")]] && parts.keys[0].proof == nil)
        #expect(parts.key(of: []) == nil && whole.key(of: [])?.path == [.member("id")])
    }

    @Test("A profile that is written and read again is the same")
    func coding() throws {
        let path = TributaryTestSupport.Tool.package.appending(path: "Fixtures/dumps/users.json").path
        for source: any ByteSource in [
            FileSource(path), MemorySource(Array("[{\"a\":1e400,\"b\":-0.0}]".utf8), name: "m"),
        ] {
            let profile = try DumpProfile(of: [source])
            let bytes = try ProfileCoding.encode(profile)
            #expect(try ProfileCoding.decode(bytes, from: "p") == profile)
        }
    }

    @Test(
        "A profile that another program has changed is refused, and never ends the process",
        arguments: [
            #"{"profile":2}"#, "[]", "", #"{"profile":1}"#, "{\"profile\":1,\"sources\":[]",
        ])
    func hostileProfiles(_ text: String) {
        #expect(throws: ImportError.self) { try ProfileCoding.decode(Array(text.utf8), from: "p") }
    }

    @Test("Each number of a profile may be any other one: the profile is read, or refused")
    func changedProfiles() throws {
        let profile = try profile("{\"id\":1,\"s\":\"x\",\"t\":\"2024-01-01\"}\n{\"id\":-2.5,\"s\":null,\"a\":[1,2]}")
        let text = String(decoding: try ProfileCoding.encode(profile), as: UTF8.self)
        var refused = 0
        for number in text.matches(of: /-?[0-9][0-9.]*/) {
            for other in ["-1", "9223372036854775807", "-9223372036854775808", "1e300", "0", "62"] {
                let changed = text.replacingCharacters(in: number.range, with: other)
                guard let read = try? ProfileCoding.decode(Array(changed.utf8), from: "p") else {
                    refused += 1
                    continue
                }
                // Whatever is read can be merged, compared and written.
                var merged = profile
                merged.merge(read)
                _ = try ProfileCoding.encode(merged)
                _ = ProfileDrift(from: read, to: profile) { "\($0)" }.lines
                _ = ProfileSchema.text(of: read)
            }
        }
        #expect(refused > 20)
    }

    @Test("Hashes and paths that another program has chosen do not end the process")
    func chosenHashes() throws {
        let profile = try profile("{\"m\":{\"a\":{\"n\":1}}}")
        let text = String(decoding: try ProfileCoding.encode(profile), as: UTF8.self)
        let hashes = try #require(text.firstMatch(of: /"hashes":"[^"]+"/)).range
        // The hash 1, and a threshold of 2: 2^63 values.
        var changed = text.replacingCharacters(in: hashes, with: #""hashes":"AQAAAAAAAAA=","threshold":"AgAAAAAAAAA=""#)
        let few = try ProfileCoding.decode(Array(changed.utf8), from: "p")
        #expect(try path(few, "m", "a", "n").values?.different.estimate == 1 << 62)
        _ = (few.references, ProfileSchema.text(of: few), try ProfileCoding.encode(few))
        changed = text.replacing("\".a\"", with: "\"{}\"")
        var odd = try ProfileCoding.decode(Array(changed.utf8), from: "p")
        let objects = (0..<61).map { "\"k\($0)\":{\"n\":1}" }.joined(separator: ",")
        odd.merge(try self.profile("{\"m\":{\(objects)}}"))
        odd.merge(profile)
        #expect(try path(odd, "m", "{}", "n")[.integer].count == 63)
    }

    @Test("A truncated dump has the profile of what is readable")
    func truncated() throws {
        let found = try profile("[{\"a\":1},{\"a\":2},{\"a\":")
        #expect(found.recordCount == 2 && found.damage.count == 1 && !found.damage.first.isEmpty)
        #expect(throws: JSONError.self) { try DumpProfile(of: [.file("/nowhere.json")]) }
    }

    @Test("Members with very long names are only counted, and keys of dictionaries are shortened")
    func longNames() throws {
        let long = String(repeating: "é", count: 600)
        let found = try profile("{\"\(long)\":{\"a\":1},\"b\":2}")
        #expect(found.records.children.map(\.step) == [.member("b")])
        #expect(found.further.values == 2 && found.further.paths.estimate == 2)
        let objects = (0..<61).map { "\"\(long.dropLast(200))\($0)\":{\"n\":1}" }.joined(separator: ",")
        let dictionary = try profile("{\"m\":{\(objects)}}")
        let keys = try #require(try path(dictionary, "m").keys)
        #expect(keys.different.estimate == 61 && keys.samples.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test("Records at several paths have one profile")
    func severalPaths() throws {
        let path = TributaryTestSupport.Tool.package.appending(path: "Fixtures/dumps/trello.json").path
        let found = try DumpProfile(of: [FileSource(path)])
        #expect(found.recordCount == 8 && found.records.children.map(\.step) == [.member("cards"), .member("lists")])
        let keys = found.keys.filter(\.isKey).map(\.path)
        #expect(keys.contains([.member("cards"), .elements, .member("id")]))
    }
}
