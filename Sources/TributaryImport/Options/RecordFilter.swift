import Foundation
import Synchronization
import TributaryConcurrency
package import TributaryJSON
package import TributaryModel

/// A filter of records, whose names are members of the records; several threads can use it.
///
/// A value has its JSON type, and null is nil, as is a missing member and a member of anything but an object. A path through
/// an array has the values of all its elements. What cannot be evaluated, such as the length of a number, makes its
/// comparison false.
package final class RecordFilter: Sendable {
    /// The filter as it was given.
    package let filter: Filter
    /// Why it cannot be one of records.
    package let error: FilterError?
    /// The paths of members in the filter.
    private let paths: [[String]]
    private let test: Test
    /// For each of the first paths whether no record has had a value there, as one bit each.
    private let missing: Atomic<UInt64>
    /// For each of these paths whether names near its members were looked for in enough records.
    private let isLookedFor = Atomic<UInt64>(0)
    private let nearby: Guarded<NearbyMembers>

    /// A value of the filter itself.
    private struct Constant: @unchecked Sendable {
        // It is made of constants, and has no subjects.
        let result: FilterResult
    }

    /// The filter, with its paths as numbers.
    private indirect enum Test: Sendable {
        case constant(Bool)
        case all([Test])
        case any([Test])
        case not(Test)
        /// A comparison of the value at a path with a constant.
        case value(Int, FilterComparison, Constant)
        /// Any other comparison, in which a path is the key `RecordMembers.key(of:)` of its number.
        case other(FilterComparison)
    }

    package init(_ filter: Filter) {
        self.filter = filter
        var compiler = RecordFilterCompiler()
        let (compiled, error) = compiler.compile(filter)
        (self.error, paths) = (error, compiler.paths)
        test = error == nil ? RecordFilter.test(compiled) : .constant(false)
        missing = Atomic(paths.count >= 64 ? .max : 1 << UInt64(paths.count) - 1)
        nearby = Guarded(NearbyMembers(of: paths))
    }

    private static func test(_ filter: Filter) -> Test {
        switch filter.form {
        case .always: .constant(true)
        case .never, .malformed: .constant(false)
        case .and(let filters): .all(filters.map(test))
        case .or(let filters): .any(filters.map(test))
        case .not(let filter): .not(test(filter))
        case .comparison(let comparison):
            if comparison.modifier == .direct, case .keyPath(let keys) = comparison.left,
                case .constant(let value) = comparison.right, let path = RecordMembers.path(of: keys[0])
            {
                .value(path, comparison, Constant(result: FilterResult(value)))
            } else {
                .other(comparison)
            }
        }
    }

    /// Whether the filter is true for a record.
    package func isMet(by record: Record) -> Bool {
        let value = record.value
        if missing.load(ordering: .relaxed) != 0 { lookForMissing(in: value) }
        return isTrue(test, value)
    }

    private func isTrue(_ test: Test, _ record: JSON) -> Bool {
        switch test {
        case .constant(let value): return value
        case .all(let tests): return tests.allSatisfy { isTrue($0, record) }
        case .any(let tests): return tests.contains { isTrue($0, record) }
        case .not(let test): return !isTrue(test, record)
        case .value(let path, let comparison, let constant):
            let value = FilterValue(record, at: paths[path][...])
            return (try? comparison.holds(FilterResult(value), constant.result)) ?? false
        case .other(let comparison):
            let evaluator = FilterEvaluator(RecordMembers(record: record, paths: paths), now: .distantPast)
            return (try? evaluator.isTrue(comparison)) ?? false
        }
    }

    // MARK: Names that no record has

    private func lookForMissing(in record: JSON) {
        let unseen = missing.load(ordering: .relaxed)
        for number in paths.indices.prefix(64) where unseen & 1 << UInt64(number) != 0 {
            if record.hasMember(at: paths[number][...]) {
                missing.bitwiseAnd(~(1 << UInt64(number)), ordering: .relaxed)
            } else if isLookedFor.load(ordering: .relaxed) & 1 << UInt64(number) == 0,
                nearby.withLock({ $0.look(in: record, number) })
            {
                isLookedFor.bitwiseOr(1 << UInt64(number), ordering: .relaxed)
            }
        }
    }

    /// The members that none of the records had for which the filter was asked, with the nearest names there.
    package var missingMembers: [(name: String, others: [String])] {
        let unseen = missing.load(ordering: .relaxed)
        return nearby.withLock { nearby in
            paths.indices.prefix(64).filter { unseen & 1 << UInt64($0) != 0 }.compactMap { nearby.finding($0) }
        }
    }

    /// - Throws: `ImportError` if the filter cannot be one of records.
    func check() throws(ImportError) {
        guard let error else { return }
        throw ImportError(.route, "the records cannot be filtered: \(error)")
    }
}

/// The names of members near those that no record has.
private struct NearbyMembers {
    /// The most records in which names are looked for.
    private static let records = 100
    /// The most names that are kept.
    private static let names = 1000

    private let paths: [[String]]
    /// For each path how many of its members records have, the names beside the next one, and the records looked at.
    private var found: [(depth: Int, names: Set<String>, count: Int)]

    init(of paths: [[String]]) {
        self.paths = paths
        found = paths.map { _ in (0, [], 0) }
    }

    /// Looks for the members of a path in a record; returns whether no further record is needed.
    mutating func look(in record: JSON, _ number: Int) -> Bool {
        guard found[number].count < Self.records else { return true }
        found[number].count += 1
        note(record, number)
        return false
    }

    private mutating func note(_ record: JSON, _ number: Int) {
        var (json, depth) = (record, 0)
        for name in paths[number] {
            while json.kind == .array, let element = json.elements.first(where: { _ in true }) { json = element }
            // What comes after a value that is no object is a part of no member.
            guard json.kind == .object else {
                found[number].depth = max(found[number].depth, depth)
                return
            }
            let next = json[name]
            if next.isMissing { break }
            (json, depth) = (next, depth + 1)
        }
        if depth > found[number].depth { found[number] = (depth, [], found[number].count) }
        guard depth == found[number].depth, json.kind == .object else { return }
        for (name, _) in json.members where found[number].names.count < Self.names { found[number].names.insert(name) }
    }

    /// The first member of a path that no record has, and the names beside it; nil if no record was looked at.
    func finding(_ number: Int) -> (name: String, others: [String])? {
        let (depth, names, count) = found[number]
        guard count > 0 else { return nil }
        let start = paths[number].prefix(depth)
        func text(_ name: String) -> String { RemoteKey(path: start + [name]).text }
        return (text(paths[number][depth]), names.sorted().map(text))
    }
}
