extension [Double] {
    /// The middle value, or the mean of the two middle ones; the array must not be empty.
    var median: Double {
        let sorted = self.sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
