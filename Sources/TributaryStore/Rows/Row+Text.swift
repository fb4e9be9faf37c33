import Foundation

extension Row {
    /// Whether a slot that holds text has the same bytes as `text`; canonically equivalent strings may differ.
    @usableFromInline
    package func hasText(_ text: String, _ slot: Int) -> Bool {
        let isSame = text.utf8.withContiguousStorageIfAvailable { bytes in
            withText(slot) { own in
                guard own.count == bytes.count else { return false }
                guard let left = own.baseAddress, let right = bytes.baseAddress else { return own.isEmpty }
                return memcmp(left, right, own.count) == 0
            }
        }
        return isSame ?? self.text(slot).utf8.elementsEqual(text.utf8)
    }

    /// The text that the store keeps of a decimal or URI in a slot; no attribute with a column has another boxed value.
    package func boxedText(_ slot: Int) -> String {
        switch boxed(slot) {
        case let box as Box<Decimal>: "\(box.value)"
        case let box as Box<URL>: box.value.absoluteString
        default: fatalError("internal error: no stored attribute has values of this type")
        }
    }
}
