/// The sizes that SQLite's file format derives from the size of a page.
package struct PageFormat: Sendable {
    /// The bytes of a page.
    package let pageSize: Int
    /// The bytes of a page without those reserved at its end.
    package let usableSize: Int

    /// The format of pages of `pageSize` bytes, of which the last `reserved` are not used.
    package init(pageSize: Int, reserved: Int = 0) {
        self.pageSize = pageSize
        usableSize = pageSize - reserved
    }

    /// The page at 1 GiB, which holds SQLite's locks and no data.
    var lockPage: UInt32 { UInt32((1 << 30) / pageSize + 1) }

    /// The bytes of a payload that one page of an overflow chain holds.
    var overflowSize: Int { usableSize - 4 }

    /// The bytes of a payload of `count` bytes that are in its cell; the rest is in a chain of overflow pages.
    @inline(__always)
    func localSize(of count: Int, inIndex: Bool) -> Int {
        let most = inIndex ? (usableSize - 12) * 64 / 255 - 23 : usableSize - 35
        if count <= most { return count }
        let least = (usableSize - 12) * 32 / 255 - 23
        let size = least + (count - least) % overflowSize
        return size <= most ? size : least
    }
}
