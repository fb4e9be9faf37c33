import TributaryConcurrency
import TributaryPlatform

/// The memory of batches that are gone, for the next ones: fresh memory costs a page fault every 4 KiB, and a thread that
/// returns memory to the system interrupts all others.
package final class RowMemory: Sendable {
    /// A block of memory.
    ///
    /// `@unchecked Sendable`: it belongs to one batch at a time, or to the memory that is free.
    struct Block: @unchecked Sendable {
        var start: UnsafeMutableRawPointer
        var capacity: Int
    }

    private let free = Guarded<(blocks: [Block], bytes: Int)>(([], 0))
    private let mostBytes: Int

    /// Memory that keeps at most so many bytes for the next batches.
    package init(keeping mostBytes: Int) { self.mostBytes = mostBytes }

    deinit { free.withLock { $0.blocks.forEach { TributaryPlatform.free($0.start) } } }

    /// The block that was kept last of those of at least `wanted` bytes, and not of far more; nil if there is none.
    func take(_ wanted: Int) -> Block? {
        free.withLock { free in
            let last = free.blocks.lastIndex { $0.capacity >= wanted && $0.capacity / 4 <= max(wanted, 16 << 10) }
            guard let last else { return nil }
            let block = free.blocks.remove(at: last)
            free.bytes -= block.capacity
            return block
        }
    }

    /// Keeps a block, or frees it if there is no room for it, or a large record has made it large.
    func give(_ block: Block) {
        let isKept = free.withLock { free in
            guard block.capacity <= mostBytes / 4, free.bytes + block.capacity <= mostBytes else { return false }
            free.blocks.append(block)
            free.bytes += block.capacity
            return true
        }
        if !isKept { TributaryPlatform.free(block.start) }
    }
}
