package import TributaryStore
import TributaryJSON
import TributarySQLite

/// The tables that the records of an import fill with their nested objects, and the relationships between these.
package struct RelatedPlan: Sendable {
    /// The objects of an entity that are found by one key.
    package final class Unit: Sendable {
        let mapping: EntityMapping
        /// Rows whose first columns are those of to-one relationships.
        let maker: RowMaker
        /// The relationships of these columns.
        package let columns: [RelationshipProperty]
        /// For each of these columns the index of its relation; nil if only the owners of the objects say it.
        let relationOfColumn: [Int?]
        package let relations: [Relation]
        /// The index of the table that its objects get primary keys of.
        package let table: Int
        /// Whether records of a route are of it.
        let isTop: Bool
        /// For objects without a key, the relation by which they are known.
        package let parent: NestedMapping.Parent?

        init(
            mapping: EntityMapping, maker: RowMaker, columns: [RelationshipProperty], relationOfColumn: [Int?],
            relations: [Relation], table: Int, isTop: Bool, parent: NestedMapping.Parent?
        ) {
            (self.mapping, self.maker, self.columns, self.relationOfColumn) = (
                mapping, maker, columns, relationOfColumn
            )
            (self.relations, self.table, self.isTop, self.parent) = (relations, table, isTop, parent)
        }

        package var entity: Entity { mapping.entity }
        /// The columns of its rows, and its key.
        package var rows: BulkTable { maker.table }
    }

    /// A relationship of a unit that records set.
    package final class Relation: Sendable {
        let mapped: MappedRelation
        /// The unit of its objects.
        package let target: Int
        package let way: Way
        /// The index of its list of mentions in a chunk; nil if its column says all.
        let list: Int?
        /// Its name in the table of waiting references.
        package let name: String
        /// What becomes of references to objects that are not there.
        let dangling: Mapping.Dangling

        init(
            mapped: MappedRelation, target: Int, way: Way, list: Int?, name: String, dangling: Mapping.Dangling
        ) {
            (self.mapped, self.target, self.way, self.list) = (mapped, target, way, list)
            (self.name, self.dangling) = (name, dangling)
        }

        package var relationship: RelationshipProperty { mapped.relationship }
    }

    /// How the links of a relation are written.
    package enum Way: Sendable {
        /// Into a column of the row; as a mention of the pairs of a link too, if records may list these.
        case column(Int, mentions: Int?)
        /// Through the pairs of a link; the rows of its objects may have a column for the owner.
        case pairs(Int, isFromTarget: Bool, ownerColumn: Int?)
        /// As partners, by their index.
        case partner(Int, isReversed: Bool)
    }

    /// Whether equal objects of a chunk stay apart, as only the first one of a key counts.
    let keepsEqualObjects: Bool
    package private(set) var units: [Unit] = []
    package private(set) var links: [PairStorage] = []
    package private(set) var partners: [OneToOneStorage] = []
    /// The number of lists of mentions in a chunk: for each link, for each pair of partners, and for each column that leads
    /// to objects without a key.
    private(set) var listCount = 0
    /// The units whose objects others lead to.
    private(set) var targets: Set<Int> = []
    /// For each route its unit.
    package private(set) var unitOfRoute: [Int] = []

    /// The names of relations in the table of waiting references that are written in some ways.
    func names(where isWanted: (Way) -> Bool) -> [String] {
        Set(units.flatMap(\.relations).filter { isWanted($0.way) }.map(\.name)).sorted()
    }

    /// What becomes of the references of a relation to objects that are not there; nil if it has another plan.
    package func dangling(_ name: String) -> Mapping.Dangling? {
        units.lazy.flatMap(\.relations).first { $0.name == name }?.dangling
    }

    /// The mappings of objects inside of records, as text.
    var mappings: [String] { units.filter { !$0.isTop }.map { "\($0.entity.name): \($0.mapping.description)" } }
    /// The entities of all units, beginning with those of routes.
    package var entities: [Entity] { units.map(\.entity) }
    /// The number of tables that objects get primary keys of.
    package var tableCount: Int { (units.map(\.table).max() ?? -1) + 1 }

    /// The plan of routes with these mappings; nil if none of them has a relation.
    init?(
        _ routes: [EntityMapping], _ resolver: MappingResolver, _ schema: Schema, _ options: ImportOptions
    ) throws {
        guard routes.contains(where: { !$0.relations.isEmpty }) else { return nil }
        let nested = try NestedMapping(routes, resolver, keepsPlaces: true)
        let drafts = nested.units
        unitOfRoute = nested.tops
        targets = Set(drafts.flatMap(\.targets))
        var roots: [Entity] = []
        for draft in drafts where !roots.contains(draft.mapping.entity.root) { roots.append(draft.mapping.entity.root) }
        keepsEqualObjects =
            options.mode == .insert || options.mode == .ignore
            || drafts.contains { $0.mapping.relations.contains { $0.policy == .program } }
        // A to-one relationship whose inverse lists objects has a column in the rows of these.
        var columns = drafts.map { draft in draft.mapping.relations.map(\.relationship).filter { Self.isColumn($0) } }
        for draft in drafts {
            for (relation, target) in zip(draft.mapping.relations, draft.targets) {
                guard let inverse = relation.relationship.inverse, Self.isColumn(inverse), !relation.isToOne,
                    !columns[target].contains(inverse)
                else { continue }
                columns[target].append(inverse)
            }
        }
        let listed = Set(drafts.flatMap(\.mapping.relations).map(\.relationship).filter(\.isToMany))
        var ways: [[Way]] = []
        for (index, draft) in drafts.enumerated() {
            var own: [Way] = []
            for (relation, target) in zip(draft.mapping.relations, draft.targets) {
                own.append(way(of: relation.relationship, listed, columns, index, target, schema))
            }
            ways.append(own)
        }
        listCount = links.count + partners.count
        for (index, draft) in drafts.enumerated() {
            let mapping = draft.mapping
            let table = BulkTable(
                mapping.entity, links: columns[index], attributes: mapping.attributes.map(\.attribute),
                key: mapping.key, rules: mapping.columnRules, schema: schema)
            var relations: [Relation] = []
            for (relation, (target, way)) in zip(mapping.relations, zip(draft.targets, ways[index])) {
                var list: Int?
                switch way {
                case .pairs(let link, _, _), .column(_, let link?): list = link
                case .partner(let pair, _): list = links.count + pair
                case .column(_, nil) where drafts[target].parent != nil:
                    list = listCount
                    listCount += 1
                case .column(_, nil): break
                }
                relations.append(
                    Relation(
                        mapped: relation, target: target, way: way, list: list,
                        name: RelationName(
                            relation.relationship, to: drafts[target].mapping.entity,
                            key: drafts[target].mapping.key.map(\.name)
                        ).text, dangling: relation.dangling ?? options.dangling))
            }
            units.append(
                Unit(
                    mapping: mapping, maker: RowMaker(table, mapping, firstColumn: columns[index].count),
                    columns: columns[index],
                    relationOfColumn: columns[index].map { column in
                        mapping.relations.firstIndex { $0.relationship == column }
                    },
                    relations: relations,
                    table: roots.firstIndex(of: mapping.entity.root) ?? 0,
                    isTop: unitOfRoute.contains(index), parent: draft.parent))
        }
    }

    /// Whether the links of a to-one relationship are in a column that rows can have values for.
    private static func isColumn(_ relationship: RelationshipProperty) -> Bool {
        !relationship.isToMany && relationship.inverse?.isToMany ?? true
    }

    private mutating func way(
        of relationship: RelationshipProperty, _ listed: Set<RelationshipProperty>,
        _ columns: [[RelationshipProperty]], _ unit: Int, _ target: Int, _ schema: Schema
    ) -> Way {
        if let pairs = PairStorage(relationship, in: schema) {
            if !relationship.isToMany, let column = columns[unit].firstIndex(of: relationship) {
                let isListed = pairs.isOrdered || relationship.inverse.map(listed.contains) ?? false
                return .column(column, mentions: isListed ? index(of: pairs) : nil)
            }
            let column = relationship.inverse.flatMap { columns[target].firstIndex(of: $0) }
            return .pairs(
                index(of: pairs), isFromTarget: pairs.relationship != relationship, ownerColumn: column)
        }
        if let partner = OneToOneStorage(relationship, in: schema) {
            if let known = partners.firstIndex(where: { $0.relationship == relationship }) {
                return .partner(known, isReversed: false)
            }
            if let known = partners.firstIndex(where: { $0.relationship == relationship.inverse }) {
                return .partner(known, isReversed: true)
            }
            partners.append(partner)
            return .partner(partners.count - 1, isReversed: false)
        }
        guard let column = columns[unit].firstIndex(of: relationship) else {
            fatalError("internal error: \(relationship.name) is stored nowhere")
        }
        return .column(column, mentions: nil)
    }

    private mutating func index(of pairs: PairStorage) -> Int {
        if let known = links.firstIndex(where: { $0.relationship == pairs.relationship }) { return known }
        links.append(pairs)
        return links.count - 1
    }
}
