import TributaryTestSupport

/// An element of a feed: a record, another value, or damage.
struct FeedRecord: Sendable {
    /// The value of a column in a record.
    enum Said: Sendable {
        case nothing, null
        case value(FeedValue)
    }

    enum Kind: Sendable {
        /// A record with its value of each column.
        case record([Said])
        /// A value that is no object, which uses up a row number and is rejected.
        case bare
        /// Text that is not JSON, which uses up no row number and is rejected.
        case damaged
    }

    let text: String
    let kind: Kind

    var isDamaged: Bool { if case .damaged = kind { true } else { false } }

    init(_ text: String, _ kind: Kind) {
        self.text = text
        self.kind = kind
    }

    /// A record with values of the columns of a model, its members in any order and among others.
    init(_ model: FeedModel, _ said: [Said], _ lots: inout SeededGenerator) {
        var members: [String] = []
        for (column, said) in zip(model.columns, said) {
            switch said {
            case .nothing: break
            case .null: members.append("\"\(column.name)\":null")
            case .value(let value): members.append("\"\(column.name)\"\(lots.once(in: 3) ? " : " : ":")\(value.json)")
            }
        }
        if lots.once(in: 4) { members.append("\"other\":[{\"k0\":\(lots.below(9))}]") }
        members.shuffle(using: &lots)
        self.init("{" + members.joined(separator: lots.once(in: 2) ? ", " : ",") + "}", .record(said))
    }
}
