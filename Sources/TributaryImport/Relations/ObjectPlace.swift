/// Where an object is in a group of chunks.
struct ObjectPlace: Hashable {
    let chunk: Int
    let id: RelatedChunk.RowID

    init(_ chunk: Int, _ id: RelatedChunk.RowID) { (self.chunk, self.id) = (chunk, id) }

    init(_ chunk: Int, unit: Int, row: Int) {
        self.init(chunk, RelatedChunk.RowID(unit: Int32(unit), row: Int32(row)))
    }
}
