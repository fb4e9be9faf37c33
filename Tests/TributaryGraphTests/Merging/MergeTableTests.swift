import Testing
import TributaryGraph

/// Each merge policy with new and stale objects, in each kind of context and of relationship, compared with
/// ``MergeOracle``.
@Suite("Merges compared with an oracle") struct MergeTableTests {
    @MainActor @Test("A new object is merged into the row that has its unique value", arguments: MergeCase.all)
    func newObjects(_ test: MergeCase) throws {
        let trial = try MergeTrial(test, seed: 3_100)
        try trial.enter(trial.insertDuplicate)
    }

    @MainActor @Test("A changed object is merged with the changes of another context", arguments: MergeCase.all)
    func staleObjects(_ test: MergeCase) throws {
        let trial = try MergeTrial(test, seed: 3_200)
        try trial.enter(trial.changeStaleObject)
    }
}
