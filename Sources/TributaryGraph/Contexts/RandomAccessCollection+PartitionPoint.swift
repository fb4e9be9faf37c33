extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `isAfter` holds, which holds for all elements behind it.
    func partitionPoint(_ isAfter: (Element) throws -> Bool) rethrows -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if try isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
