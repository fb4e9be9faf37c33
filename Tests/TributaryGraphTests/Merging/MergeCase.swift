import Testing
import TributaryGraph

/// One case of the table of merges.
struct MergeCase: Sendable, CustomTestStringConvertible {
    /// The context in which the objects are changed.
    enum Place: CaseIterable, Sendable { case main, privateQueue, child, grandchild }

    /// What relates other clerks to the clerk whose row is merged.
    enum Relation: CaseIterable, Sendable {
        /// Nothing: attributes alone are merged.
        case attributesOnly
        /// A reference of each other clerk.
        case toOne
        /// The same relationship, changed from its other side.
        case toMany
        case manyToMany
        case ordered
        /// References without foreign keys, with an inverse and without one.
        case unchecked
        /// A reference of the clerk itself, along which an attribute is derived.
        case path
    }

    static let policies: [MergePolicy] = [.error, .storeTrump, .objectTrump, .overwrite, .rollback]

    /// Selects the random numbers of the case.
    let number: UInt64
    let policy: MergePolicy
    /// Whether the context has loaded the row's object; for a stale object, whether its relationships are loaded too.
    let isLoaded: Bool
    let place: Place
    let relation: Relation

    var testDescription: String {
        "case \(number): \(policy), \(isLoaded ? "loaded" : "not loaded"), \(place), \(relation)"
    }

    /// All combinations.
    static let all: [MergeCase] = {
        var cases: [MergeCase] = []
        for policy in MergeCase.policies {
            for isLoaded in [false, true] {
                for place in Place.allCases {
                    for relation in Relation.allCases {
                        cases.append(
                            MergeCase(
                                number: UInt64(cases.count), policy: policy, isLoaded: isLoaded, place: place,
                                relation: relation))
                    }
                }
            }
        }
        return cases
    }()
}
