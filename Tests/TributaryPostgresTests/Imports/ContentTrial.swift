import Foundation
import TributaryJSON
import TributaryModel
import TributaryTestSupport

import Tributary

/// A random model with a mapping, and three dumps for it: new rows, changed and repeated ones, and both together.
struct ContentTrial: Sendable {
    let attributes: [AttributeDescription]
    let key: [String]
    let mapping: Mapping
    let mode: ImportMode
    let dumps: [String]

    var model: Model { get throws { try Model(thing: attributes, key: key) } }
    var route: ImportRoute { .rows("thing", key: ImportKey(key), mapping: mapping) }

    init(_ lots: inout SeededGenerator, mode: ImportMode? = nil, count: Int = 60) {
        var attributes: [AttributeDescription] = []
        var key: [String] = []
        for number in 0..<lots.pick([1, 1, 2]) {
            let name = "k\(number)"
            key.append(name)
            attributes.append(AttributeDescription(name, lots.pick(DumpValues.keyTypes)))
        }
        // The model says which values two versions of a record are compared by.
        attributes.append(AttributeDescription("version", .integer64))
        var mapping = Mapping()
        for number in 0..<(1 + lots.below(6)) {
            var attribute = AttributeDescription("a \(number)\"é", lots.pick(DumpValues.types))
            var rule = PropertyRule()
            switch lots.below(8) {
            case 0: rule.policy = .program
            case 1: rule.policy = .keepMissing
            case 2: rule.policy = .keepNull
            case 3: rule.newest = "version"
            case 4: attribute.isOptional = false
            case 5 where attribute.type == .string: attribute.defaultValue = .string("default '\\ é")
            case 5 where attribute.type == .integer32: attribute.defaultValue = .integer(-5)
            case 5 where attribute.type == .boolean: attribute.defaultValue = .boolean(true)
            case 6: rule.mismatch = .null
            default: break
            }
            rule.paths = [RemoteKey("a\(number)")]
            mapping[attribute.name] = rule
            attributes.append(attribute)
        }
        (self.attributes, self.key, self.mapping) = (attributes, key, mapping)
        self.mode = mode ?? lots.pick(ImportMode.allCases)
        // Few keys, so that they are repeated.
        let keys = (0..<lots.pick([3, 20, count * 2])).map { _ in
            key.indices.map { index in
                // A key of PostgreSQL is shorter than one of SQLite may be.
                while true {
                    let value = DumpValues.value(attributes[index].type, &lots)
                    if value.utf8.count < 1000 { return value }
                }
            }
        }
        func dump(_ lots: inout SeededGenerator, isDirty: Bool) -> String {
            let records = (0..<count).map { _ -> String in
                var members = zip(key, lots.pick(keys)).map { "\"\($0)\":\($1)" }
                if !lots.once(in: 6) { members.append("\"version\":\(lots.below(9))") }
                for (number, attribute) in attributes.dropFirst(key.count + 1).enumerated() where !lots.once(in: 5) {
                    var value = DumpValues.value(attribute.type, &lots)
                    if lots.once(in: 6) { value = "null" }
                    if isDirty, lots.once(in: 40) { value = lots.pick(["{\"x\":1}", "\"x\"", "1e99", "[]"]) }
                    members.append("\"a\(number)\":\(value)")
                }
                let text = "{\(members.joined(separator: lots.pick([",", ", "])))}"
                return isDirty && lots.once(in: 25) ? text.replacing("\"k0\":", with: "\"k0\" ") : text
            }
            return "[\(records.joined(separator: ",\n"))]"
        }
        let first = dump(&lots, isDirty: lots.once(in: 2))
        dumps = [first, first, dump(&lots, isDirty: true)]
    }
}
