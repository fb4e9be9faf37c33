import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// A list that is searched.
@MainActor @Suite struct SearchableListTests {
    private let manager: ContextManager
    private var context: ManagedObjectContext { manager.mainContext }

    init() throws {
        manager = try ContextManager(model: ResultsEntry.model(), store: .memory)
        for (id, group) in ["apple", "apricot", "banana", "cherry"].enumerated() {
            ResultsEntry.make(id, group, rank: -id, title: group, in: manager.mainContext)
        }
        try manager.mainContext.save()
    }

    private func list() -> SearchableList<ResultsEntry> {
        let list = SearchableList<ResultsEntry>(in: context, sectionKeyPath: "group") { text in
            guard let text else { return FetchRequest(sort: [SortKey("group")]) }
            return FetchRequest(where: "title CONTAINS \(text)", sort: [SortKey("rank")])
        }
        list.sectionName = FetchedResultsPropertyTests.initial
        return list
    }

    @Test("A search has its own request, without sections and index titles")
    func searchesHaveNoSections() throws {
        let list = list()
        #expect(list.results == nil && list.sectionIndexTitles.isEmpty)
        try list.search(nil)
        #expect(list.results?.sections.map(\.name) == ["a", "b", "c"] && !list.isSearching)
        #expect(list.sectionIndexTitles == ["A", "B", "C"])
        try list.search("ap")
        #expect(list.isSearching && list.searchText == "ap" && list.sectionIndexTitles.isEmpty)
        #expect(list.results?.fetchedObjects.map(\.id) == [1, 0] && list.results?.sections.count == 1)
        list.showsSectionsWhenSearching = true
        #expect(throws: FetchError.self) { try list.search("b") }
        #expect(list.searchText == "ap" && list.results?.count == 2, "the earlier results stay")
        list.request = { text in FetchRequest(where: "title CONTAINS \(text ?? "")", sort: [SortKey("group")]) }
        try list.search("an")
        #expect(list.results?.sections.map(\.name) == ["b"] && list.sectionIndexTitles == ["B"])
        try list.search("")
        #expect(!list.isSearching && list.results?.count == 4)
    }

    @Test("Results follow the store, and observers stay across searches")
    func resultsFollow() async throws {
        let list = list()
        var told: [String] = []
        let observation = list.observe { told.append(ResultsCopy.text($0)) }
        try list.search(nil)
        try list.search("an")
        #expect(told == ["reload", "reload"])
        try await manager.write { context in
            ResultsEntry.make(10, "mango", rank: 5, title: "mango", in: context)
            ResultsEntry.make(11, "fig", rank: 5, title: "fig", in: context)
        }
        #expect(told.dropFirst(2) == ["+0.1"] && list.results?.fetchedObjects.map(\.id) == [2, 10])
        withExtendedLifetime(observation) {}
        _ = consume observation
        try list.search(nil)
        #expect(told.count == 3)
    }
}
