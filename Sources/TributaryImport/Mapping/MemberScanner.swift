import TributaryStore
import TributaryJSON

/// Finds the members, also of nested objects, that the mappings of an entity and of those below it do not name.
package struct MemberScanner: Sendable {
    private let nested: NestedMapping
    private let projections: [Projection]
    /// For each unit the names of its properties, and for each path of its projection the index of its property.
    private let properties: [(names: [String], ofPath: [Int])]

    package init(_ nested: NestedMapping) {
        self.nested = nested
        var projections: [Projection] = []
        var properties: [(names: [String], ofPath: [Int])] = []
        for mapping in nested.units.map(\.mapping) {
            var paths: [[String]] = []
            var owners: [Int] = []
            var aliases: [Projection.Alias] = []
            let members = mapping.attributes.map(\.members) + mapping.relations.map(\.members)
            for (index, members) in members.enumerated() {
                if let name = members.nameIndex {
                    aliases += members.aliases.map { Projection.Alias($0, path: paths.count + name) }
                }
                owners += members.paths.map { _ in index }
                paths += members.paths
            }
            projections.append(Projection(paths, aliases: aliases, ignored: mapping.ignored, listsOthers: true))
            properties.append((mapping.attributes.map(\.name) + mapping.relations.map(\.name), owners))
        }
        (self.projections, self.properties) = (projections, properties)
    }

    /// What was found so far.
    package struct Notes {
        fileprivate var values = ProjectedValues()
        fileprivate var notes: [Int: MappingNotes] = [:]

        /// Nothing yet.
        package init() {}
    }

    /// Scans a value of a unit; the first one is that of records.
    package func scan(_ json: JSON, unit: Int = 0, _ found: inout Notes) {
        guard json.kind == .object else { return }
        projections[unit].project(json, into: &found.values)
        let notes = found.notes[unit] ?? MappingNotes()
        found.notes[unit] = notes
        notes.add(found.values)
        for (index, relation) in nested.units[unit].mapping.relations.enumerated() {
            guard let value = value(of: relation, in: json) else { continue }
            let target = nested.units[unit].targets[index]
            // A value that does not fit is reported elsewhere.
            try? relation.forEachObject(in: value, of: nested.units[target].mapping) { element, _ in
                scan(element, unit: target, &found)
            }
        }
    }

    private func value(of relation: MappedRelation, in json: JSON) -> JSON? {
        defer { json.owner.clearFailure() }
        return relation.members.sources.lazy.map { $0.reduce(json) { $0[$1] } }.first { !$0.isMissing }
    }

    /// What was found, by the name of the entity.
    package func reports(_ found: Notes) -> [String: MappingReport] {
        var reports: [String: MappingReport] = [:]
        for (unit, notes) in found.notes {
            let report = notes.report(properties[unit].names, propertyOfPath: properties[unit].ofPath)
            if !report.isEmpty { reports[nested.units[unit].mapping.entity.name, default: MappingReport()].add(report) }
        }
        return reports
    }
}
