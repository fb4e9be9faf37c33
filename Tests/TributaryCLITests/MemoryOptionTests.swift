import Testing

import TributaryCLI

/// What `--max-memory` takes, and what it says of less.
@Suite struct MemoryOptionTests {
    private func message(_ size: String) -> String? {
        do {
            _ = try Invocation(["import", "a", "--into", "b", "--max-memory", size])
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: ["8M", "4096", "0", "16383K", "16777215"]) func itSaysHowMuchItNeeds(_ size: String) throws {
        let text = try #require(message(size))
        #expect(text.contains("'--max-memory'"), "\(text)")
        #expect(text.contains("at least 16M"), "\(text)")
        // No example that would be refused as well.
        #expect(!text.contains("such as"), "\(text)")
    }

    @Test(arguments: ["16M", "16384K", "16777216", "1G"]) func itTakesWhatIsEnough(_ size: String) {
        #expect(message(size) == nil)
    }
}
