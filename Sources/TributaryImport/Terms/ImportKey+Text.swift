import Foundation

extension ImportKey {
    /// The key as the journal stores it: for each part a JSON array of the attribute and the path of its value.
    package var texts: [String] {
        parts.map { StoredJSON.text([$0.attribute] + $0.remote.path) }
    }

    /// The key whose `texts` these are; nil if they do not describe a key.
    package init?(texts: [String]) {
        let parts = texts.compactMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) }
        guard parts.count == texts.count, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(parts.map { $0[0] }, remote: parts.map { RemoteKey(path: Array($0.dropFirst())) })
    }
}
