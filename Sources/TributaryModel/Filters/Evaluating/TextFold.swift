import Foundation

/// The folding of case and diacritics in text, the same in memory and in the database.
///
/// It does not depend on the locale. Case is folded for each Unicode scalar, through its upper case to its lower case,
/// so that `ß` equals `ss` and both small sigmas are equal. Diacritics are the combining marks of alphabets, such as
/// accents and Hebrew points, but not marks that make a different syllable, such as the voicing of kana. Text without
/// diacritics is composed (NFC).
package enum TextFold {
    /// The text with case and diacritics folded by `options`; options other than `[c]` and `[d]` are ignored.
    package static func fold(_ text: String, options: FilterOptions) -> String {
        let folding = options.folding
        if folding.isEmpty { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return folding.contains(.caseInsensitive) ? text.lowercased() : text
        }
        let cased = folding.contains(.caseInsensitive) ? foldingCase(text) : text
        return folding.contains(.diacriticInsensitive) ? removingMarks(cased) : cased
    }

    private static func foldingCase(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // The dotless i is a separate letter, although its upper case is the common I.
            if scalar == "\u{131}" {
                folded.append(scalar)
                continue
            }
            // First to lower case, because the upper case of the capital sharp s is itself.
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                }
            }
        }
        return String(folded)
    }

    private static func removingMarks(_ text: String) -> String {
        let bare = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
            // Combining classes below 10 are signs within a syllable.
            scalar.properties.generalCategory != .nonspacingMark
                || scalar.properties.canonicalCombiningClass.rawValue < 10
        }
        return String(String.UnicodeScalarView(bare)).precomposedStringWithCanonicalMapping
    }
}
