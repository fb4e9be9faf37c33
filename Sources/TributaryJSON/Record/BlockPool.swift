import TributaryConcurrency

/// Blocks that have been used and wait to be used again; fresh memory costs a page fault every 4 KiB.
final class BlockPool: Sendable {
    private let free = Guarded<[Block]>([])
    let blockCapacity: Int

    init(blockCapacity: Int) { self.blockCapacity = blockCapacity }

    func take() -> Block {
        free.withLock { $0.popLast() } ?? Block(capacity: blockCapacity)
    }

    /// Gives a block back.
    ///
    /// One that had to grow for a large record is let go.
    func give(_ block: Block) {
        guard block.byteCount <= 6 * blockCapacity else { return }
        free.withLock { blocks in
            if blocks.count < 4 { blocks.append(block) }
        }
    }
}
