import Foundation
import TributarySQLite

/// A row to be read: the one at which a statement stands, or one that a thread has taken out of it.
protocol RowSource {
    /// How the value is kept.
    func storage(at index: Int) -> SQLStorage
    /// The value as a whole number.
    func integer(at index: Int) -> Int64
    /// The value as a number with a fraction.
    func real(at index: Int) -> Double
    /// The value as text.
    func text(at index: Int) -> String
    /// The value as bytes.
    func data(at index: Int) -> Data
    /// Whether the bytes of the value as text are `bytes`.
    func holds(_ bytes: [UInt8], at index: Int) -> Bool
}

extension Statement: RowSource {
    func data(at index: Int) -> Data { withBlob(at: index) { Data($0) } }

    func holds(_ bytes: [UInt8], at index: Int) -> Bool { withText(at: index) { $0.elementsEqual(bytes) } }
}
