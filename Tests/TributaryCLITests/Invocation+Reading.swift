import Testing

import TributaryCLI

extension Invocation {
    /// The message with which a command line is refused, or nil.
    static func message(_ words: [String]) -> String? {
        do {
            _ = try Invocation(words)
            return nil
        } catch {
            return error.message
        }
    }

    /// The command that a command line names, with its options.
    static func command<Kind>(_ words: [String]) throws -> Kind {
        guard case .command(let command as Kind) = try Invocation(words) else { throw UsageError("not the command") }
        return command
    }

    /// Expects that each line `WORDS => MESSAGE` has a command line and its message; '' is an empty word.
    static func expectMessages(_ lines: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for line in lines.split(separator: "\n") {
            let words = line.prefix(upTo: line.firstRange(of: " => ")?.lowerBound ?? line.endIndex).split(
                separator: " ")
            let found = message(words.map { $0 == "''" ? "" : String($0) })
            let expected = line.suffix(from: line.firstRange(of: " => ")?.upperBound ?? line.endIndex)
            #expect(found == String(expected), "\(line)", sourceLocation: sourceLocation)
        }
    }
}
