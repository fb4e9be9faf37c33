import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// The first steps with a reader.
@Suite struct ReaderExampleTests {
    @Test("A value has the type that it is assigned to")
    func typedByWhatItIsAssignedTo() throws {
        var lines: [String] = []
        func print(_ name: String, _ age: Int, _ city: String) { lines.append("\(name) \(age) \(city)") }
        // Tests run in the folder of the package.
        try #require(FileManager.default.fileExists(atPath: "Fixtures/dumps/users.json"))
        let reader = RecordReader(from: .file("Fixtures/dumps/users.json"))
        while let chunk = try reader.next() {
            for user in chunk {
                let name: String? = user["name"]
                let age: Int = user["age"]
                let city: String? = user["address"]["city"]
                if let failure = user.failure { throw failure }
                print(name ?? "unnamed", age, city ?? "nowhere")
            }
        }
        #expect(lines.count == 8 && lines[1] == "Bruno Tanaka 84 naïve")
    }

    @Test("A reader is an asynchronous sequence")
    func asASequence() async throws {
        var adults = 0
        let reader = RecordReader(from: .file(Tool.package.appending(path: "Fixtures/dumps/users.json").path))
        for try await chunk in reader { adults += chunk.count { user in user["age"] >= 18 } }
        #expect(adults == 8)
    }

    @Test("A failed conversion leaves its error with the record")
    func aWrongTypeIsRemembered() throws {
        let chunk = try #require(try RecordReader(from: .text(#"[{"id": "seven"}]"#)).next())
        let record = chunk[0]
        let id: Int? = record["id"]
        #expect(id == nil)
        let failure = try #require(record.failure)
        #expect(failure.reason == #"found the string "seven", expected an integer"#)
        #expect(failure.code == .convertType && failure.path == "$[0].id" && failure.position?.column == 9)
    }
}
