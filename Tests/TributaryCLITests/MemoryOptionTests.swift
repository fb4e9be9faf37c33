import Testing

import TributaryCLI

/// The values that `--max-memory` accepts.
@Suite struct MemoryOptionTests {
    private func message(_ size: String) -> String? {
        Invocation.message(["import", "b", "a", "--max-memory", size])
    }

    @Test(
        "--max-memory refuses less than 32M and names that minimum",
        arguments: ["8M", "4096", "0", "16M", "32767K", "33554431"])
    func itSaysHowMuchItNeeds(_ size: String) throws {
        let text = try #require(message(size))
        #expect(text.contains("'--max-memory'"), "\(text)")
        #expect(text.contains("at least 32M"), "\(text)")
        // The message gives no example, since the usual ones would be refused as well.
        #expect(!text.contains("such as"), "\(text)")
    }

    @Test("--max-memory accepts 32M or more in any unit", arguments: ["32M", "32768K", "33554432", "1G"])
    func itTakesWhatIsEnough(_ size: String) {
        #expect(message(size) == nil)
    }
}
