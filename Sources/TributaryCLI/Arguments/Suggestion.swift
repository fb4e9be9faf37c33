import Foundation
import TributaryJSON

/// Finds the word that was probably meant.
package enum Suggestion {
    /// The candidate that is nearest to `word`, if it is near enough; or the only one that begins with it.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let longer = candidates.filter { $0.hasPrefix(word) }
        if longer.count == 1, word.contains(where: { $0 != "-" }) { return longer[0] }
        let ranked = candidates.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        let letters = word.count { $0 != "-" }
        guard let ranked, ranked.distance < letters,
            ranked.distance <= max(1, min(word.count, ranked.word.count) / 3)
        else { return nil }
        return ranked.word
    }

    /// The end of a message that suggests the nearest candidate; empty if none is near enough.
    static func hint(for word: String, among candidates: [String]) -> String {
        nearest(to: word, among: candidates).map { ". Did you mean '\($0)'?" } ?? ""
    }

    /// The end of a message about a path that leads to nothing: the nearest name in its folder; empty if none is near.
    static func hint(forFile path: String) -> String {
        guard !path.hasSuffix("/"), let name = path.split(separator: "/").last.map(String.init) else { return "" }
        let folder = String(path.dropLast(name.count))
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        guard let near = nearest(to: name, among: names ?? []), near != name else { return "" }
        return ". Did you mean '\(Excerpt.escape(folder + near))'?"
    }

    /// How many insertions, deletions, replacements and swaps of neighbours turn one word into the other.
    package static func distance(_ one: String, _ two: String) -> Int {
        let a = Array(one)
        let b = Array(two)
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
