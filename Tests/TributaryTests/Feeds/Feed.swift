import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

/// Random records with repeated keys, missing, null or wrong values, and damage between them.
struct Feed: Sendable {
    /// The layout of the records in the text.
    enum Layout: String, CaseIterable, Sendable {
        case array, lines, nested

        var path: RecordPath? {
            switch self {
            case .array: "[]"
            case .lines: nil
            case .nested: ".a.b[]"
            }
        }
    }

    /// How often bad values and damage occur: once in so many records, or never.
    struct Dirt: Sendable {
        var badValues: Int?
        var damage: Int?

        static let none = Dirt()
        static let some = Dirt(badValues: 12, damage: 25)
    }

    let records: [FeedRecord]

    /// Generates `count` records with about `keys` different keys.
    init(_ model: FeedModel, count: Int, keys: Int, dirt: Dirt, _ lots: inout SeededGenerator) {
        let good = model.columns.map { $0.samples.filter { $0.stored != nil } }
        let known = (0..<max(1, keys)).map { number in
            model.columns.indices.map { place in
                model.columns[place].isKey ? Feed.keyValue(number, good[place], &lots) : nil
            }
        }
        var records: [FeedRecord] = []
        for number in 0..<count {
            if number > 0, let share = dirt.damage, lots.once(in: share) {
                records.append(FeedRecord(lots.pick(Feed.damage), .damaged))
            }
            // After damage, reading resumes at the next element that looks like the records before.
            let mustLookAlike = records.last?.isDamaged ?? false
            if let share = dirt.badValues, lots.once(in: 3 * share), !mustLookAlike {
                records.append(FeedRecord(lots.pick(["17", "\"text\"", "[1,{}]", "null", "true"]), .bare))
            }
            let key = lots.pick(known)
            let isBad = !mustLookAlike && dirt.badValues.map { lots.once(in: $0) } ?? false
            let wrong = isBad ? lots.below(model.columns.count) : -1
            let said = model.columns.indices.map { place -> FeedRecord.Said in
                let column = model.columns[place]
                if place == wrong {
                    if column.isKey, lots.once(in: 2) { return lots.once(in: 2) ? .nothing : .null }
                    let bad = column.samples.filter { $0.stored == nil }
                    if !bad.isEmpty { return .value(lots.pick(bad)) }
                }
                if let value = key[place] { return .value(value) }
                // A record without a required value counts as dirt.
                let mayLack = column.attribute.isOptional || column.standard != .null || dirt.badValues != nil
                if mayLack, lots.once(in: 4), !mustLookAlike { return .nothing }
                if column.attribute.isOptional || dirt.badValues != nil, lots.once(in: 12) { return .null }
                return .value(lots.pick(good[place]))
            }
            records.append(FeedRecord(model, said, &lots))
        }
        self.records = records
    }

    init(_ records: [FeedRecord]) { self.records = records }

    /// One of the samples, or a value of the same kind made of a number.
    private static func keyValue(_ number: Int, _ samples: [FeedValue], _ lots: inout SeededGenerator) -> FeedValue {
        guard !lots.once(in: 4), case .some(let stored) = samples.first?.stored else { return lots.pick(samples) }
        switch stored {
        case .integer: return FeedValue("\(number + 100)", .integer(Int64(number + 100)))
        case .text("") where lots.once(in: 2): return FeedValue("\(number)", .text("\(number)"))
        case .text(""): return FeedValue("\"key \(number)\"", .text("key \(number)"))
        default: return lots.pick(samples)
        }
    }

    /// Damaged elements whose own brackets match.
    private static let damage = ["{\"k0\" 5}", "{\"k0\":1 \"a0\":2}", "{\"a0\":tru}", "{\"a0\":[1,,2]}", "{\"a0\":01}"]

    /// The text of the feed.
    func bytes(_ layout: Layout, seed: UInt64) -> [UInt8] {
        var lots = SeededGenerator(seed: seed)
        var text = ""
        let (head, comma, tail) =
            switch layout {
            case .array: ("[", ",", "]")
            case .lines: ("", "\n", "\n")
            case .nested: ("{\"meta\":{\"b\":[{\"k0\":1}]},\"a\":{\"x\":[],\"b\":[", ",", "],\"y\":1},\"k0\":[3]}")
            }
        text += head
        for (index, record) in records.enumerated() {
            if index > 0 { text += comma }
            if layout != .lines, lots.once(in: 3) { text += lots.pick(["\n", " ", "\r\n  "]) }
            text += record.text
        }
        return Array((text + tail).utf8)
    }
}
