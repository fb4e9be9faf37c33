import Foundation
import Testing
import TributaryCLI
import TributaryTestSupport

/// Each pair of options of `import`, `sync` and `retry` works for each kind of target, or is refused before anything is
/// read.
///
/// A sample is tried; `TRIBUTARY_PAIRS=all` tries all.
@Suite(.serialized) struct OptionPairTests {
    private static let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_PAIRS"] == "all"

    @Test("The table has each option of the commands, and no other")
    func tableIsComplete() {
        for command in OptionSample.Command.allCases {
            let spec = Invocation.commands.first { $0.name == command.rawValue }
            let names = Set(OptionTable.all.filter { $0.commands.contains(command) }.map(\.name))
            #expect(names == Set(spec?.options.compactMap(\.names.first) ?? []), "\(command)")
        }
    }

    @Test(
        "Each pair of options works or is refused early", arguments: OptionSample.Command.allCases,
        OptionTarget.allCases)
    func pairs(_ command: OptionSample.Command, _ target: OptionTarget) async throws {
        let number = (OptionTarget.allCases.firstIndex(of: target) ?? 0) * 3
        var lots = SeededGenerator.sampled(5_500, case: UInt64(number + command.rawValue.count))
        let trials = trials(command, target, &lots)
        let world = try await OptionWorld()
        let outcomes = try await world.outcomes(of: trials)
        let found = Dictionary(zip(trials, outcomes)) { first, _ in first }
        for (trial, outcome) in zip(trials, outcomes) {
            let text = OptionPairs.messages(trial).isEmpty ? fault(trial, outcome, found) : late(trial, outcome)
            if let text {
                Issue.record("\(trial): \(text), seed \(lots.seed)\n\(outcome.code) \(outcome.output)\(outcome.error)")
            }
        }
        print("\(command.rawValue), \(target): \(outcomes.count) commands, seed \(lots.seed)")
    }

    /// The command without options, with each option of some pairs, and with these pairs.
    private func trials(
        _ command: OptionSample.Command, _ target: OptionTarget, _ lots: inout SeededGenerator
    ) -> [OptionTrial] {
        // An import without a key has the same rejects as one into a new database.
        guard command != .retry || target != .keyless else { return [] }
        func trial(_ samples: [OptionSample]) -> OptionTrial {
            OptionTrial(command: command, target: target, samples: samples)
        }
        func pairs(_ samples: [OptionSample]) -> [OptionTrial] {
            samples.indices.flatMap { first in
                samples[(first + 1)...].filter { $0.name != samples[first].name }.map { trial([samples[first], $0]) }
            }
        }
        let samples = OptionTable.all.filter { sample in
            sample.commands.contains(command) && (command == .retry || target.words.first != sample.name)
        }
        guard !Self.isWhole else { return [trial([])] + samples.map { trial([$0]) } + pairs(samples) }
        // Of each message one pair that has no other.
        var messages: Set<[String]> = []
        let refused = pairs(samples.shuffled(using: &lots)).filter { pair in
            let texts = OptionPairs.messages(pair)
            return texts.count == 1 && messages.insert(texts).inserted
        }
        let working = samples.filter { OptionPairs.messages(trial([$0])).isEmpty }
        let some = Array(working.shuffled(using: &lots).prefix(target == .server ? 3 : 6))
        return [trial([])] + some.map { trial([$0]) } + pairs(some) + refused
    }

    // MARK: Checking

    /// What is wrong with the outcome of a command that must be refused.
    private func late(_ trial: OptionTrial, _ outcome: OptionOutcome) -> String? {
        let messages = OptionPairs.messages(trial)
        guard outcome.code == 64 || outcome.code == 1, messages.contains(where: outcome.error.contains) else {
            return "not refused with \(messages)"
        }
        let hasTables = trial.target == .server && trial.command == .retry
        guard outcome.database != .changed || hasTables else { return "the database was changed" }
        guard !outcome.error.contains("to resume, run") else { return "the same command is offered" }
        return outcome.files.isEmpty ? nil : "it left \(outcome.files)"
    }

    /// What is wrong with the outcome of a command that must work.
    private func fault(
        _ trial: OptionTrial, _ outcome: OptionOutcome, _ found: [OptionTrial: OptionOutcome]
    ) -> String? {
        let isDry = trial.has("--dry-run")
        let codes: [Int32] = trial.command == .retry && !trial.readsRejects ? [3] : isDry ? [0, 2] : [0]
        guard codes.contains(outcome.code) else { return "exit code \(outcome.code), expected \(codes)" }
        guard outcome.damage.isEmpty else { return "damage: \(outcome.damage)" }
        let files = Set(["--changes", "--rejects"].filter(trial.has).map { "-" + $0.dropFirst(2) })
        guard Set(outcome.files).isSubset(of: files) else { return "it left \(outcome.files)" }
        if trial.has("--print-map") {
            return outcome.database == .changed || !outcome.output.contains("\"users\"") ? "no mapping alone" : nil
        }
        // Where one of the options changes no row, the rows are those of the other one.
        func tried(_ samples: [OptionSample]) -> OptionOutcome? {
            let other = OptionTrial(command: trial.command, target: trial.target, samples: samples)
            return OptionPairs.messages(other).isEmpty ? found[other] : nil
        }
        // Only where some members are chosen there are others.
        guard let plain = tried([]), !trial.has(all: ["--columns", "--rest"]) else { return nil }
        for sample in trial.samples {
            let isNeutral = sample.effect != .result
            guard isNeutral || trial.samples.count == 2 && tried([sample])?.rows == plain.rows else { continue }
            guard let rest = tried(trial.samples.filter { $0 != sample }) else { continue }
            // A staged dry run leaves no table, and any other one an empty one.
            if rest.rows ?? [] != outcome.rows ?? [] {
                return "rows \(outcome.rows ?? []), expected \(rest.rows ?? []) as without \(sample)"
            }
        }
        return nil
    }
}
