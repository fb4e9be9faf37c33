extension Sequence<String> {
    /// The first five texts, separated by commas, and how many more there are.
    package var shortList: String {
        let all = Array(self)
        let shown = all.prefix(5).joined(separator: ", ")
        return all.count > 5 ? "\(shown) and \(all.count - 5) more" : shown
    }
}
