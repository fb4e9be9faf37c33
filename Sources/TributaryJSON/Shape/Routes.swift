/// The record paths of one pass, as an automaton that follows the containers of a text.
///
/// A position is one bit, for a route and the number of its components matched so far. All positions fit into one word,
/// so following the text costs a few instructions per key.
struct Routes: Sendable {
    /// A set of positions.
    typealias Positions = UInt64

    private struct Step: Sendable {
        let index: Int
        /// The component that comes next; nil at the end of the path.
        let component: RecordPath.Component?
        let route: Int
        /// Whether this position is the end of a path that spreads arrays.
        let spreadsArrays: Bool

        /// Whether this position is the end of its path.
        var isEnd: Bool { component == nil }
    }

    let paths: [RecordPath]
    private let steps: [Step]
    /// The positions of a top-level value.
    let start: Positions

    /// - Throws: a `JSONError` if two paths are the same, or one is inside the records of another.
    init(_ paths: [RecordPath]) throws {
        self.paths = paths
        var steps: [Step] = []
        var start: Positions = 0
        guard paths.reduce(0, { $0 + $1.components.count + 1 }) <= 64 else {
            throw JSONError(
                .shapePath, "the paths have more than 63 steps in total", hint: "read fewer places in each run")
        }
        for (route, path) in paths.enumerated() {
            start |= 1 << steps.count
            for component in path.components {
                steps.append(Step(index: steps.count, component: component, route: route, spreadsArrays: false))
            }
            steps.append(
                Step(index: steps.count, component: nil, route: route, spreadsArrays: path.spreadsArrays))
            for other in paths[..<route] where Routes.overlap(path, other) {
                throw JSONError(
                    .shapePath, "the paths \(other) and \(path) overlap", hint: "read them in two passes")
            }
        }
        self.steps = steps
        self.start = start
    }

    private static func overlap(_ one: RecordPath, _ two: RecordPath) -> Bool {
        zip(one.components, two.components).allSatisfy { a, b in
            switch (a, b) {
            case (.key(let a), .key(let b)), (.key(let a), .token(let b)), (.token(let a), .key(let b)),
                (.token(let a), .token(let b)):
                a == b
            case (.index(let a), .index(let b)): a == b
            case (.index(let a), .token(let b)), (.token(let b), .index(let a)): String(a) == b
            case (.elements, .elements), (.members, .members): true
            case (.elements, .index), (.index, .elements): true
            case (.elements, .token(let token)), (.token(let token), .elements): Int(token) != nil
            case (.members, .key), (.key, .members), (.members, .token), (.token, .members): true
            default: false
            }
        }
    }

    /// The positions of the member of an object with the key `key`.
    func member(_ key: UnsafeRawBufferPointer, of container: Positions) -> Positions {
        advance(container) { component in
            switch component {
            case .key(let name), .token(let name): name.utf8.elementsEqual(key)
            case .members: true
            default: false
            }
        }
    }

    /// The positions of the element of an array at `index`.
    func element(_ index: Int, of container: Positions) -> Positions {
        advance(container) { component in
            switch component {
            case .index(let wanted): wanted == index
            case .token(let token): token == String(index)
            case .elements: true
            default: false
            }
        }
    }

    /// Whether all elements of such an array have the same positions, whatever their index.
    func treatsElementsAlike(_ container: Positions) -> Bool {
        first(of: container) { step in
            switch step.component {
            case .index, .token: true
            default: false
            }
        } == nil
    }

    /// Whether the members of such an object are records.
    func wantsMembers(_ container: Positions) -> Bool {
        first(of: container) { $0.component == .members && steps[$0.index + 1].isEnd } != nil
    }

    private func advance(_ positions: Positions, _ matches: (RecordPath.Component) -> Bool) -> Positions {
        var result: Positions = 0
        var rest = positions
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            if let component = steps[bit].component, matches(component) { result |= 1 << (bit + 1) }
        }
        return result
    }

    /// The route of the first of these positions for which `predicate` is true.
    @inline(__always)
    private func first(of positions: Positions, where predicate: (Step) -> Bool) -> Int? {
        var rest = positions
        while rest != 0 {
            let step = steps[rest.trailingZeroBitCount]
            if predicate(step) { return step.route }
            rest &= rest - 1
        }
        return nil
    }

    /// The route of the record that a value with these positions is, or nil if its records are deeper inside.
    func record(at positions: Positions, isArray: Bool) -> Int? {
        first(of: positions) { $0.isEnd && !(isArray && $0.spreadsArrays) }
    }

    /// The route of a JSON Pointer whose records are the elements of an array with these positions.
    func spreadRoute(at positions: Positions) -> Int? { first(of: positions) { $0.spreadsArrays } }

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

    /// Whether the records of `route` are the members of an object.
    func isKeyed(_ route: Int) -> Bool { paths[route].components.last == .members }
}
