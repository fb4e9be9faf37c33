import Foundation
import TributaryTestSupport

/// Random records with dictionaries inside, and the rows that a few lines of plain code make of these.
struct DictionaryFeed {
    /// An object that is the value of a dictionary, or in an array there.
    struct Element {
        var number: Int?
        var text: String?
        /// A dictionary with plain values; nil if the member is missing.
        var inner: [(key: String, value: String)]?
    }

    /// A record; nil if a member is missing.
    struct Record {
        var id = 0
        /// A dictionary of objects, or of arrays of objects; `isNull` is null in its place.
        var outer: [(key: String, elements: [Element], isArray: Bool)]?
        var isNull = false
        /// A dictionary with plain values.
        var scalars: [(key: String, value: String)]?

        /// What is known after the record.
        func added(to earlier: Record?) -> Record {
            var known = earlier ?? Record(id: id)
            if outer != nil || isNull { known.outer = outer }
            if let scalars { known.scalars = scalars }
            return known
        }
    }

    /// Whether the keys look like names, so that the dictionaries have to be stated.
    let isStated: Bool
    private(set) var records: [Record] = []
    /// What is kept of all records that came so far, by their ids.
    private(set) var kept: [Int: Record] = [:]

    private static let names = ["", "a", "_key", "value", "é", "😀", "x\"y", "n\u{0}l", "Value", "a.b", "{}", "inner"]
    private static let values = ["1", "2.5", "true", "\"x\"", "null", "[1,\"a\"]", "{\"b\":1}", "\"\""]

    init(_ lots: inout SeededGenerator) { isStated = lots.once(in: 2) }

    /// Makes the next dump.
    mutating func advance(_ lots: inout SeededGenerator) {
        records = (0..<12).map { number in
            var record = Record(id: number == 0 ? 0 : number + 100 * lots.below(2))
            if number == 0 || !lots.once(in: 4) {
                record.outer = keys(number == 0, &lots).map { key in
                    let isArray = lots.once(in: 2)
                    let count = number == 0 || !isArray ? 1 : lots.below(3)
                    return (key, (0..<count).map { _ in element(number == 0, &lots) }, isArray)
                }
            }
            record.isNull = record.outer == nil && lots.once(in: 2)
            if number == 0 || !lots.once(in: 4) { record.scalars = pairs(number == 0, &lots) }
            return record
        }
        for record in records { kept[record.id] = record.added(to: kept[record.id]) }
    }

    /// Different keys; at least three if all of a dictionary has to be there.
    private func keys(_ isFull: Bool, _ lots: inout SeededGenerator) -> [String] {
        let all = isStated ? DictionaryFeed.names : (1...9).map { "-K\($0)x" }
        return all.filter { _ in lots.once(in: 3) } + (isFull ? ["2030-01-01", "31", "/32/"] : [])
    }

    private func pairs(_ isFull: Bool, _ lots: inout SeededGenerator) -> [(key: String, value: String)] {
        // Without a statement, arrays and objects would show that these are no dictionaries of plain values.
        let values = isStated ? DictionaryFeed.values : Array(DictionaryFeed.values.prefix(5))
        return keys(isFull, &lots).map { ($0, lots.pick(values)) }
    }

    private func element(_ isFull: Bool, _ lots: inout SeededGenerator) -> Element {
        Element(
            number: lots.once(in: 5) ? nil : lots.below(9), text: lots.once(in: 5) ? nil : "t\(lots.below(9))",
            inner: isFull || !lots.once(in: 3) ? pairs(isFull, &lots) : nil)
    }

    // MARK: Text

    /// The dump as an array of records.
    var json: String { "[\(records.map(DictionaryFeed.json).joined(separator: ",\n"))]" }

    private static func json(_ record: Record) -> String {
        var members = ["\"id\":\(record.id)"]
        if let outer = record.outer {
            let entries = outer.map { entry in
                let texts = entry.elements.map(json)
                return "\(quoted(entry.key)):\(entry.isArray ? "[\(texts.joined(separator: ","))]" : texts[0])"
            }
            members.append(
                "\"d\":\(entries.isEmpty && record.id % 2 == 0 ? "[]" : "{\(entries.joined(separator: ","))}")")
        } else if record.isNull {
            members.append("\"d\":null")
        }
        if let scalars = record.scalars { members.append("\"s\":\(json(scalars))") }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(_ element: Element) -> String {
        var members: [String] = []
        if let number = element.number { members.append("\"number\":\(number)") }
        if let text = element.text { members.append("\"text\":\(quoted(text))") }
        if let inner = element.inner { members.append("\"i\":\(json(inner))") }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(_ pairs: [(key: String, value: String)]) -> String {
        "{\(pairs.map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        let data = (try? JSONEncoder().encode(text)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: Rows

    /// The rows of all tables for some records, in the order of `queries`.
    static func rows(_ records: some Sequence<Record>) -> [[String]] {
        var (outer, inner, scalars) = ([String](), [String](), [String]())
        for record in records.sorted(by: { $0.id < $1.id }) {
            for (key, element) in (record.outer ?? []).flatMap({ entry in entry.elements.map { (entry.key, $0) } }) {
                outer.append("\(record.id) \(key) \(element.number.map { "\($0)" } ?? "-") \(element.text ?? "-")")
                for pair in element.inner ?? [] { inner.append("\(record.id) \(key) \(pair.key) \(cell(pair.value))") }
            }
            for pair in record.scalars ?? [] { scalars.append("\(record.id) \(pair.key) \(cell(pair.value))") }
        }
        return [outer, inner, scalars]
    }

    /// A value as a column shows it.
    private static func cell(_ json: String) -> String {
        switch json {
        case "null": "-"
        case "true": "1"
        default: json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
        }
    }

    /// What selects the rows of a database, in the order of dictionaries.
    static let queries = [
        "SELECT t.id, d._key, d.number, d.text FROM d JOIN t ON t._pk = d.t ORDER BY t.id, d.\"_order.t.d\"",
        """
        SELECT t.id, d._key, i._key, i.value FROM i JOIN d ON d._pk = i.d JOIN t ON t._pk = d.t
        ORDER BY t.id, d."_order.t.d", i."_order.d.i"
        """,
        "SELECT t.id, s._key, s.value FROM s JOIN t ON t._pk = s.t ORDER BY t.id, s.\"_order.t.s\"",
    ]
}
