import Foundation
import TributaryTestSupport

/// Random orders as nested JSON, and the tables that a few lines of plain code make of them.
struct OrderFeed {
    /// The rows of a table by the text of their id: member → value as text.
    typealias Table = [String: [String: String]]

    private(set) var records: [[String: Any]] = []
    private let tagCount = 12

    init(_ lots: inout SeededGenerator, count: Int) {
        for id in 1...count { records.append(order(id, count, &lots)) }
    }

    /// The next dump: some of the orders, with the items of others, another type and a new member.
    mutating func advance(_ lots: inout SeededGenerator) {
        let count = records.count
        records = []
        shift += 1
        for id in 1...count where lots.once(in: 2) {
            var order = order(id, count, &lots)
            order["channel"] = "web"
            if lots.once(in: 3) { order["total"] = "none" }
            records.append(order)
        }
        fill()
    }

    /// By how many orders the items have moved.
    private var shift = 0

    private func order(_ id: Int, _ count: Int, _ lots: inout SeededGenerator) -> [String: Any] {
        var order: [String: Any] = ["id": id, "note": "Order \(id) „\(lots.below(9))“"]
        if !lots.once(in: 6) {
            let customer = lots.below(5)
            order["customer"] = ["id": "c\(customer)", "name": "Customer \(customer)", "address": ["city": "Rom"]]
        }
        if lots.once(in: 12) { order["customer"] = NSNull() }
        order["total"] = lots.once(in: 4) ? Double(lots.below(1000)) + 0.5 : lots.below(1000)
        if !lots.once(in: 8) {
            order["items"] = (0..<lots.below(4)).map { number -> [String: Any] in
                var item: [String: Any] = ["id": ((id + shift) % count) * 10 + number, "amount": lots.below(5)]
                if lots.once(in: 2) { item["parts"] = [["size": 1]] }
                if lots.once(in: 2) {
                    item["tags"] = (0..<lots.below(3)).map { _ -> [String: Any] in
                        let tag = lots.below(tagCount)
                        return ["id": tag, "label": "tag \(tag)"]
                    }
                }
                return item
            }
        }
        if lots.once(in: 3) { order["meta"] = ["by": ["id": lots.below(4), "mail": "x@y.org"], "n": 1] }
        return order
    }

    var text: String {
        records.map { record in
            // The keys of a record are in random order already.
            (try? JSONSerialization.data(withJSONObject: record)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }.joined(separator: "\n")
    }

    // MARK: Tables

    private(set) var tables: [String: Table] = [:]
    /// The pairs of ids of a link, by its name.
    private(set) var links: [String: Set<String>] = [:]

    /// Fills the tables from the records.
    mutating func fill() {
        for record in records { add(record) }
    }

    private mutating func row(_ table: String, _ object: [String: Any], without names: Set<String>) -> String {
        let id = OrderFeed.text(object["id"] ?? "")
        for (name, value) in object where !names.contains(name) {
            tables[table, default: [:]][id, default: [:]][name] = OrderFeed.text(value)
        }
        return id
    }

    private mutating func link(_ name: String, _ owner: String, _ others: [String], isExclusive: Bool) {
        links[name] = links[name, default: []].filter { pair in
            !pair.hasPrefix(owner + "→") && !(isExclusive && others.contains { pair.hasSuffix("→" + $0) })
        }
        for other in others { links[name, default: []].insert("\(owner)→\(other)") }
    }

    private mutating func add(_ order: [String: Any]) {
        let id = row("orders", order, without: ["customer", "items"])
        if let customer = order["customer"] {
            let other = (customer as? [String: Any]).map { row("customer", $0, without: []) }
            link("customer", id, other.map { [$0] } ?? [], isExclusive: false)
        }
        if let by = (order["meta"] as? [String: Any])?["by"] as? [String: Any] {
            link("meta_by", id, [row("by", by, without: [])], isExclusive: false)
        }
        guard let items = order["items"] as? [[String: Any]] else { return }
        var ids: [String] = []
        for item in items {
            let other = row("items", item, without: ["tags"])
            ids.append(other)
            guard let tags = item["tags"] as? [[String: Any]] else { continue }
            var found: [String] = []
            for tag in tags { found.append(row("tags", tag, without: [])) }
            link("tags", other, found, isExclusive: false)
        }
        link("items", id, ids, isExclusive: true)
    }

    /// A value as text, in which all forms of JSON can be compared.
    static func text(_ value: Any) -> String {
        switch value {
        case is NSNull: return ""
        case let text as String: return text
        case let number as NSNumber: return "\(number.doubleValue)"
        default:
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
            return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
