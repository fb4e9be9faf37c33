import Foundation

extension ModelValue {
    func write(_ row: Row, _ slot: Int) {
        switch self {
        case .integer(let value): value.write(row, slot)
        case .double(let value): value.write(row, slot)
        case .decimal(let value): value.write(row, slot)
        case .string(let value): value.write(row, slot)
        case .boolean(let value): value.write(row, slot)
        case .date(let value): value.write(row, slot)
        case .data(let value): value.write(row, slot)
        case .uuid(let value): value.write(row, slot)
        case .url(let value): value.write(row, slot)
        }
    }
}
