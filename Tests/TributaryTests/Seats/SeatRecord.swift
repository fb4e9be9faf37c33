import TributaryTestSupport

/// A record of a seat: what it says of each attribute.
struct SeatRecord: Sendable {
    /// What is said of a text.
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

    /// Nil if it is not said.
    let id: Int?
    let j: Said
    let s: Said

    /// Draws a record; if nothing may be wrong, it has an id and texts.
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
