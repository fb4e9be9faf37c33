/// One page of a b-tree that is being filled: cells from its end, and their offsets from its beginning.
struct PageBuilder: ~Copyable {
    /// The kind of a page, as in its first byte.
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var headerSize: Int { self == .indexInterior || self == .tableInterior ? 12 : 8 }
    }

    /// A cell has at least four bytes, which a freed one needs.
    static let smallestCell = 4

    let kind: Kind
    private let format: PageFormat
    private let memory: UnsafeMutableRawPointer
    /// The number of cells.
    private(set) var count = 0
    /// The offset of the last cell.
    private var top: Int

    init(_ kind: Kind, _ format: PageFormat) {
        self.kind = kind
        self.format = format
        memory = .allocate(byteCount: format.pageSize, alignment: 8)
        top = format.usableSize
    }

    deinit { memory.deallocate() }

    /// Whether a cell of `size` bytes fits.
    @inline(__always)
    func fits(_ size: Int) -> Bool {
        kind.headerSize + 2 * (count + 1) + max(size, PageBuilder.smallestCell) <= top
    }

    /// Adds a cell that fits; the caller writes its bytes.
    @inline(__always)
    mutating func addCell(_ size: Int) -> UnsafeMutableRawPointer {
        let size = max(size, PageBuilder.smallestCell)
        top -= size
        let cell = memory + top
        if size == PageBuilder.smallestCell { cell.storeBytes(of: 0, as: UInt32.self) }
        (memory + kind.headerSize + 2 * count).storeBigEndian(UInt64(top), bytes: 2)
        count += 1
        return cell
    }

    /// Removes the last cell and returns its bytes, of which there are `size`.
    mutating func removeLast(_ size: Int) -> [UInt8] {
        let bytes = [UInt8](UnsafeRawBufferPointer(start: memory + top, count: size))
        top += max(size, PageBuilder.smallestCell)
        count -= 1
        return bytes
    }

    /// Completes the page, calls `body` with its bytes, and empties it; `right` is the last child of an interior page.
    mutating func finish(right: UInt32 = 0, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        memory.storeBytes(of: kind.rawValue, as: UInt8.self)
        (memory + 1).storeBigEndian(0, bytes: 2)
        (memory + 3).storeBigEndian(UInt64(count), bytes: 2)
        // The offset 65536 is stored as 0.
        (memory + 5).storeBigEndian(UInt64(top & 0xFFFF), bytes: 2)
        (memory + 7).storeBigEndian(0, bytes: 1)
        if kind.headerSize == 12 { (memory + 8).storeBigEndian(UInt64(right), bytes: 4) }
        let start = kind.headerSize + 2 * count
        (memory + start).initializeMemory(as: UInt8.self, repeating: 0, count: top - start)
        let reserved = format.pageSize - format.usableSize
        (memory + format.usableSize).initializeMemory(as: UInt8.self, repeating: 0, count: reserved)
        try body(UnsafeRawBufferPointer(start: memory, count: format.pageSize))
        count = 0
        top = format.usableSize
    }
}
