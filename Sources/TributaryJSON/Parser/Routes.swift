/// The record paths of one pass, as an automaton that follows the containers of a text.
///
/// A position is a route and the number of its components matched so far. The sets of positions that a text can lead to
/// are determined in advance, so following the text costs a few instructions per key, however many paths there are.
struct Routes: Sendable {
    /// A set of positions, by its index; 0 is the empty set.
    typealias Positions = Int

    private struct Step: Sendable {
        /// The component that comes next; nil at the end of the path.
        let component: RecordPath.Component?
        let route: Int
        /// Whether this position is the end of a path that spreads arrays.
        let spreadsArrays: Bool

        var isEnd: Bool { component == nil }
    }

    /// A set of positions, and the sets of the values inside.
    private struct State: Sendable {
        var members: [(key: [UInt8], next: Positions)] = []
        var otherMembers: Positions = 0
        var elements: [(index: Int, next: Positions)] = []
        var otherElements: Positions = 0
        /// The route of the record that a value is here; nil if its records are deeper inside.
        var record: Int?
        /// The same for an array.
        var arrayRecord: Int?
        /// The route of a JSON Pointer whose records are the elements of an array here.
        var spreadRoute: Int?
        var wantsMembers = false
    }

    /// The most sets of positions.
    private static let maximumCount = 100_000

    let paths: [RecordPath]
    private var states: [State] = [State()]
    /// The positions of a top-level value.
    let start: Positions

    /// Prepares to follow some paths, and with `opensObjects` all objects around records.
    init(_ paths: [RecordPath], opensObjects: Bool = false) throws {
        self.paths = paths
        let tooMany = JSONError(.shapePath, "the paths are too many", hint: "read fewer places in each run")
        guard paths.count <= Int(UInt16.max) else { throw tooMany }
        var steps: [Step] = []
        var first: [Int] = []
        for (route, path) in paths.enumerated() {
            first.append(steps.count)
            steps += path.components.map { Step(component: $0, route: route, spreadsArrays: false) }
            steps.append(Step(component: nil, route: route, spreadsArrays: path.spreadsArrays))
        }
        var sets: [[Int]] = [[]]
        var known: [[Int]: Positions] = [[]: 0]
        func positions(_ set: [Int]) -> Positions {
            if let found = known[set] { return found }
            known[set] = sets.count
            sets.append(set)
            return sets.count - 1
        }
        start = positions(first)
        while states.count < sets.count {
            let set = sets[states.count]
            if set.count > 1, let end = set.first(where: { steps[$0].isEnd }),
                let other = set.first(where: { $0 != end })
            {
                let routes = [steps[end].route, steps[other].route].sorted()
                throw JSONError(
                    .shapePath, "the paths \(paths[routes[0]]) and \(paths[routes[1]]) overlap",
                    hint: "read them in two passes")
            }
            guard states.count < Routes.maximumCount else { throw tooMany }
            states.append(Routes.state(set, steps, positions))
        }
        if opensObjects {
            // A state for all values that no path leads to; in arrays there is nothing more to follow.
            for index in states.indices.dropFirst() where states[index].otherMembers == 0 {
                states[index].otherMembers = states.count
            }
            var open = State()
            open.otherMembers = states.count
            states.append(open)
        }
    }

    private static func state(_ set: [Int], _ steps: [Step], _ positions: ([Int]) -> Positions) -> State {
        func next(_ matches: (RecordPath.Component) -> Bool) -> Positions {
            positions(set.filter { steps[$0].component.map(matches) ?? false }.map { $0 + 1 })
        }
        var (names, indexes): ([String], [Int]) = ([], [])
        for position in set {
            switch steps[position].component {
            case .key(let name)?: names.append(name)
            case .index(let index)?: indexes.append(index)
            case .token(let token)?:
                names.append(token)
                if let index = Int(token), String(index) == token { indexes.append(index) }
            case .elements?, .members?, nil: break
            }
        }
        var state = State()
        var seen: Set<[UInt8]> = []
        for name in names where seen.insert(Array(name.utf8)).inserted {
            let positions = next { component in
                switch component {
                case .key(let other), .token(let other): other.utf8.elementsEqual(name.utf8)
                case .members: true
                default: false
                }
            }
            state.members.append((Array(name.utf8), positions))
        }
        for index in Set(indexes).sorted() {
            let positions = next { component in
                switch component {
                case .index(let other): other == index
                case .token(let token): token == String(index)
                case .elements: true
                default: false
                }
            }
            state.elements.append((index, positions))
        }
        state.otherMembers = next { $0 == .members }
        state.otherElements = next { $0 == .elements }
        let ends = set.map { steps[$0] }.filter(\.isEnd)
        state.record = ends.first?.route
        state.arrayRecord = ends.first { !$0.spreadsArrays }?.route
        state.spreadRoute = ends.first(where: \.spreadsArrays)?.route
        state.wantsMembers = set.contains { steps[$0].component == .members && steps[$0 + 1].isEnd }
        return state
    }

    func member(_ key: UnsafeRawBufferPointer, of container: Positions) -> Positions {
        for member in states[container].members where member.key.count == key.count {
            if member.key.withUnsafeBytes({ $0.elementsEqual(key) }) { return member.next }
        }
        return states[container].otherMembers
    }

    func element(_ index: Int, of container: Positions) -> Positions {
        states[container].elements.first { $0.index == index }?.next ?? states[container].otherElements
    }

    /// Whether all elements of such an array have the same positions, whatever their index.
    func treatsElementsAlike(_ container: Positions) -> Bool { states[container].elements.isEmpty }

    /// Whether the members of such an object are records.
    func wantsMembers(_ container: Positions) -> Bool { states[container].wantsMembers }

    /// Whether all members of such an object, whatever their keys, are on a path.
    func hasAnyMembers(_ container: Positions) -> Bool { states[container].otherMembers != 0 }

    /// Whether a path leads to all items of a container.
    var repeatsItems: Bool {
        paths.contains { $0.spreadsArrays || $0.components.contains(.elements) || $0.components.contains(.members) }
    }

    /// The role of a value with these positions.
    func next(at positions: Positions) -> ParserCore.Next {
        ParserCore.Next(
            positions: positions, route: Int32(states[positions].record ?? -1),
            arrayRoute: Int32(states[positions].arrayRecord ?? -1))
    }

    /// The route of a JSON Pointer whose records are the elements of an array with these positions.
    func spreadRoute(at positions: Positions) -> Int? { states[positions].spreadRoute }

    /// The required type of the top-level value, if all paths agree.
    var rootRule: ParserCore.RootRule {
        let rules = paths.map { path -> ParserCore.RootRule in
            switch path.components.first {
            case .elements, .index: .array
            case .members, .key: .object
            case .token, nil: .any
            }
        }
        guard let first = rules.first, rules.allSatisfy({ $0 == first }) else { return .any }
        return first
    }

    func isKeyed(_ route: Int) -> Bool { paths[route].components.last == .members }
}
