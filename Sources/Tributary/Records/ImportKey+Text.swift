extension ImportKey {
    /// The key as the journal keeps it: `attribute=way.in.record` for each part.
    package var texts: [String] { parts.map { "\($0.attribute)=\($0.remote.path.joined(separator: "."))" } }

    /// The key that `texts` was taken from.
    package init(texts: [String]) {
        let parts = texts.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        self.init(
            parts.map { $0[0] },
            remote: parts.map { part in
                guard part.count == 2 else { return RemoteKey(path: [part[0]]) }
                return part[1].isEmpty ? .`self` : RemoteKey(part[1])
            })
    }
}
