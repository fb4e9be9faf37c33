import Testing
import TributaryGraph

@Suite struct ModelDescriptionTests {
    @Test("The description of a model error lists all its faults and names the file")
    func faultsAreSaidAtOnce() {
        #expect(ModelError(["a"], file: "f").description == "f: a")
        #expect(ModelError(["a", "b"]).description == "the model has 2 faults:\n  a\n  b")
    }
}
