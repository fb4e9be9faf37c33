import TributaryConcurrency

/// Used blocks for reuse, because fresh memory costs a page fault every 4 KiB.
final class BlockPool: Sendable {
    private let free = Guarded<[Block]>([])
    let blockCapacity: Int

    private let most: Int

    /// Makes a pool that keeps `most` blocks for reuse.
    init(blockCapacity: Int, keeping most: Int) { (self.blockCapacity, self.most) = (blockCapacity, most) }

    func take() -> Block {
        free.withLock { $0.popLast() } ?? Block(capacity: blockCapacity)
    }

    /// Returns a block to the pool.
    ///
    /// A block that grew for a large record is freed instead.
    func give(_ block: Block) {
        guard block.byteCount <= 6 * blockCapacity else { return }
        free.withLock { blocks in
            if blocks.count < most { blocks.append(block) }
        }
    }
}
