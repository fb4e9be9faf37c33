/// The hash of all bytes of a source up to an offset, which must be the same when reading resumes after it.
package struct DigestMark: Sendable, Hashable, Codable {
    /// Which of the sources, from 0.
    package var source: Int
    /// The offset up to which bytes were hashed, after decompression and conversion.
    package var byte: Int
    /// The hash, as 16 hexadecimal digits.
    package var hash: String
    /// The digest itself, with which hashing continues there; nil for a source that is read again from its beginning.
    package var digest: ByteDigest?
}
