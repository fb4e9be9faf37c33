import Testing
import TributaryGraph

@Suite struct ModelDescriptionTests {
    @Test func faultsAreSaidAtOnce() {
        #expect(ModelError(["a"], file: "f").description == "f: a")
        #expect(ModelError(["a", "b"]).description == "the model has 2 faults:\n  a\n  b")
    }
}
