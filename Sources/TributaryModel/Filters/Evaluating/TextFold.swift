import Foundation

/// The one way in which text loses its case and its marks, in memory and in a database.
///
/// It depends on no locale. Case is folded for each Unicode scalar, through its upper case to its lower case, so that
/// `ß` is `ss` and both small sigmas are one. Marks are the combining ones of alphabets: an accent, a Hebrew point; not
/// what makes another letter of a syllable, as the voicing of a kana. Text with marks folded is composed (NFC).
public enum TextFold {
    /// The text without what `options` make equal; `[c]` and `[d]` count.
    public static func fold(_ text: String, options: FilterOptions) -> String {
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
            // The dotless i is a letter of its own, though its capital is the common one.
            if scalar == "\u{131}" {
                folded.append(scalar)
                continue
            }
            // First down, for the capital sharp s has itself as its capital.
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
            // Classes up to 9 are signs within a syllable.
            scalar.properties.generalCategory != .nonspacingMark
                || scalar.properties.canonicalCombiningClass.rawValue < 10
        }
        return String(String.UnicodeScalarView(bare)).precomposedStringWithCanonicalMapping
    }
}
