extension Array {
    /// The elements in their order, at most `length` at a time.
    func slices(of length: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: count, by: length).lazy.map { self[$0..<Swift.min($0 + length, count)] }
    }
}
