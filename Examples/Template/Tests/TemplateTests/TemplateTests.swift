import Testing
import Tributary

@testable import Template

@Suite struct TemplateTests {
    @Test("A second dump changes members and inserts new ones")
    @MainActor
    func load() async throws {
        let manager = try Template.open(.memory)
        defer { manager.close() }
        let first = try await Template.load(
            .text(#"[{"id": 1, "name": "Ada", "joined": "2026-01-10"}, {"id": 2, "name": "Ben"}]"#), into: manager)
        #expect(first.inserted == 2)
        let second = try await Template.load(
            .text(#"[{"id": 2, "name": "Ben", "joined": "2026-02-01"}, {"id": 3, "name": "Cleo"}]"#), into: manager)
        #expect(second.inserted == 1 && second.updated == 1)
        #expect(try Template.latest(in: manager.mainContext).map(\.name) == ["Ben", "Ada"])
    }
}
