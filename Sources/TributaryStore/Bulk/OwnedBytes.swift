/// Bytes at a fixed address, freed with this object.
final class OwnedBytes {
    let bytes: UnsafeRawBufferPointer

    init(_ source: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, source.count), alignment: 1)
        copy.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(rebasing: copy[..<source.count])
    }

    deinit { bytes.deallocate() }
}
