import TributaryTestSupport

/// A record of a seat, with its value of each attribute.
struct SeatRecord: Sendable {
    /// The value of an attribute of text.
    enum Said: Sendable, Hashable {
        case nothing, null
        case text(String)
        /// A number, which is no text.
        case wrong

        fileprivate var json: String? {
            switch self {
            case .nothing: nil
            case .null: "null"
            case .text(let text): "\"\(text)\""
            case .wrong: "7"
            }
        }
    }

    /// The id; nil if the record has none.
    let id: Int?
    let j: Said
    let s: Said

    /// Generates a record, which is valid unless it may be wrong.
    init(_ lots: inout SeededGenerator, mayBeWrong: Bool) {
        id = mayBeWrong && lots.once(in: 20) ? nil : 1 + lots.below(5)
        j = lots.pick([.nothing, .nothing, .null, .text("u"), .text("u"), .text("v"), .text("v"), .text("w")])
        s = mayBeWrong && lots.once(in: 15) ? .wrong : lots.pick([.nothing, .nothing, .null, .text("Ä"), .text("b")])
    }

    var text: String {
        let members = [id.map { "\"id\":\($0)" }, j.json.map { "\"j\":\($0)" }, s.json.map { "\"s\":\($0)" }]
        return "{" + members.compactMap { $0 }.joined(separator: ",") + "}"
    }
}
