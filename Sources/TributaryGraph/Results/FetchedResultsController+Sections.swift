/// The sections of the results.
extension FetchedResultsController {
    /// The sections in their order; one, even without results, if there is no key path for sections.
    public var sections: [ResultsSection] {
        guard let list = current else { return [] }
        return list.sections.enumerated().map { index, section in
            ResultsSection(
                name: section.name, indexTitle: indexTitle(section.name) ?? "",
                positions: list.positions(ofSection: index))
        }
    }

    /// The titles of the sections for an index, each once, in the order of the sections.
    public var sectionIndexTitles: [String] {
        if let knownTitles { return knownTitles }
        guard let list = current, query.hasSections else { return [] }
        var seen: Set<String> = []
        let titles = list.sections.compactMap { indexTitle($0.name) }.filter { seen.insert($0).inserted }
        knownTitles = titles
        return titles
    }

    /// The first section with an index title; nil if there is none.
    public func section(forIndexTitle title: String) -> Int? {
        current?.sections.firstIndex { indexTitle($0.name) == title }
    }
}
