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

    @Test(arguments: ["8M", "4096", "0", "16M", "32767K", "33554431"]) func itSaysHowMuchItNeeds(_ size: String) throws
    {
        let text = try #require(message(size))
        #expect(text.contains("'--max-memory'"), "\(text)")
        #expect(text.contains("at least 32M"), "\(text)")
        // No example that would be refused as well.
        #expect(!text.contains("such as"), "\(text)")
    }

    @Test(arguments: ["32M", "32768K", "33554432", "1G"]) func itTakesWhatIsEnough(_ size: String) {
        #expect(message(size) == nil)
    }
}
