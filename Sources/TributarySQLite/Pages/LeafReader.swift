/// Reads the rows of the leaves that ``TableTree`` has written.
struct LeafReader: ~Copyable {
    private let file: PageFile
    private let page: UnsafeMutableRawBufferPointer
    private let overflow: UnsafeMutableRawBufferPointer
    private var payload: [UInt8] = []

    init(_ file: PageFile) {
        self.file = file
        page = .allocate(byteCount: file.format.pageSize, alignment: 8)
        overflow = .allocate(byteCount: file.format.pageSize, alignment: 8)
    }

    deinit {
        page.deallocate()
        overflow.deallocate()
    }

    /// Calls `body` with the key and the record of each row of a page; false if the page is not a leaf.
    mutating func forEachRow(
        of number: UInt32, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws -> Bool {
        let file = file
        // The page of the locks has no data.
        if number == file.format.lockPage { return false }
        try file.read(number, into: page)
        guard page[0] == PageBuilder.Kind.tableLeaf.rawValue else { return false }
        let bytes = UnsafeRawBufferPointer(page)
        let header = PageBuilder.Kind.tableLeaf.headerSize
        let count = Int(bytes.number(at: 3, bytes: 2))
        guard (1...(file.format.usableSize - header) / 2).contains(count) else { throw file.damage(number) }
        let largest = min(UInt64(Int32.max), UInt64(file.pageCount) * UInt64(file.format.pageSize))
        for index in 0..<count {
            let offset = Int(bytes.number(at: header + 2 * index, bytes: 2))
            var cell = UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...])
            guard let size = cell.removeVarint(), let key = cell.removeVarint(), size <= largest else {
                throw file.damage(number)
            }
            let local = file.format.localSize(of: Int(size), inIndex: false)
            guard cell.count >= local + (local < size ? 4 : 0) else {
                throw file.damage(number)
            }
            let record = UnsafeRawBufferPointer(rebasing: cell[..<local])
            func read(_ record: UnsafeRawBufferPointer) throws {
                guard RecordDecoder.isWhole(record) else { throw file.damage(number) }
                try body(Int64(bitPattern: key), record)
            }
            if local == size {
                try read(record)
                continue
            }
            payload = Array(record)
            try readOverflow(UInt32(cell.number(at: local, bytes: 4)), upTo: Int(size))
            try payload.withUnsafeBytes(read)
        }
        return true
    }

    /// Throws unless a page has these bytes.
    func check(_ number: UInt32, against bytes: UnsafeRawBufferPointer) throws {
        guard number <= file.pageCount else { throw file.damage(number) }
        try file.read(number, into: page)
        guard page.elementsEqual(bytes) else { throw file.damage(number) }
    }

    private mutating func readOverflow(_ first: UInt32, upTo size: Int) throws {
        var next = first
        while payload.count < size {
            guard next > 0, next <= file.pageCount else { throw file.failure("its overflow pages are damaged", 0) }
            try file.read(next, into: overflow)
            let bytes = UnsafeRawBufferPointer(overflow)
            next = UInt32(bytes.number(at: 0, bytes: 4))
            payload += bytes[4..<4 + min(file.format.overflowSize, size - payload.count)]
        }
    }
}
