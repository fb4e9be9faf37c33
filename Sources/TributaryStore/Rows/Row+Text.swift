import Foundation

extension Row {
    /// Whether a slot that holds text has the same bytes as `text`; canonically equivalent strings may differ.
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
}
