import Foundation
import TributaryJSON
import TributaryPlatform

/// A file that is written beside the one it replaces, and gets its name at the end.
///
/// A reader sees the old contents or the new ones, never a part, also after a kill or a power failure. A killed process
/// leaves the temporary file `NAME.PID.part`, which the next writer of the same file deletes. A device or a pipe is written
/// as it is.
package final class FileReplacement {
    /// Why a file cannot be written: an error of the system.
    package struct Failure: Error, CustomStringConvertible {
        /// The number of the error.
        let code: Int32
        /// The reason in words.
        package var description: String { String(cString: strerror(code)) }
    }

    private static let ending = ".part"
    /// The path of the file; that of its target for a symbolic link, which stays.
    private let path: String
    /// The temporary file; nil for a device or a pipe.
    private let temporary: String?
    private let descriptor: Int32
    /// The number of bytes of complete calls of `write`.
    private var count = 0
    private var isFinished = false

    /// Creates the temporary file, with the permissions of the file that it will replace.
    package init(of path: String) throws(Failure) {
        self.path = FileReplacement.target(of: path)
        var status = stat()
        // The link of a pipe in /dev/fd leads to no path.
        let exists = stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            (temporary, descriptor) = (nil, open(path, O_WRONLY | O_CLOEXEC))
            guard descriptor >= 0 else { throw Failure(code: errno) }
            return
        }
        FileReplacement.removeLeftovers(of: self.path)
        let part = "\(self.path).\(getpid())\(FileReplacement.ending)"
        temporary = part
        // Of an ended process with the same number.
        unlink(part)
        descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? status.st_mode & 0o777 : 0o666)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        if exists { fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit {
        close(descriptor)
        if let temporary, !isFinished { unlink(temporary) }
    }

    /// Appends bytes: all of them, or none.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                writeSome(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            guard count > 0 || count < 0 && errno == EINTR else {
                let failure = Failure(code: count < 0 ? errno : ENOSPC)
                ftruncate(descriptor, off_t(self.count))
                throw failure
            }
            written += max(0, count)
        }
        count += written
    }

    /// Gives the file its name, after everything is on the disk.
    ///
    /// - Throws: `Failure`; the old file is as before.
    package func finish() throws(Failure) {
        guard let temporary else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Failure(code: errno) }
        isFinished = true
        let folder = open(FilePath.folder(of: path), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        defer { close(folder) }
        // Some file systems cannot sync a folder; the file is complete there too.
        fsync(folder)
    }

    /// Why a file cannot be created in the folder of a path, or be replaced; nil if it can.
    package static func obstacle(at path: String) -> Failure? {
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { return nil }
        let target = target(of: path)
        // A file that must not be written is not replaced either.
        guard access(target, F_OK) != 0 || access(target, W_OK) == 0 else { return Failure(code: errno) }
        return access(FilePath.folder(of: target), W_OK | X_OK) == 0 ? nil : Failure(code: errno)
    }

    /// The path without symbolic links and `..`; if there is no such file, the path to which a symbolic link leads.
    package static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else {
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
            return link.hasPrefix("/") ? link : FilePath.folder(of: path) + "/" + link
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Deletes the temporary files of processes that were killed while they wrote the same file.
    private static func removeLeftovers(of path: String) {
        guard let folder = opendir(FilePath.folder(of: path)) else { return }
        defer { closedir(folder) }
        let start = FilePath.name(of: path) + "."
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(start), name.hasSuffix(ending),
                let process = pid_t(name.dropFirst(start.count).dropLast(ending.count)), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink("\(FilePath.folder(of: path))/\(name)")
        }
    }
}

private func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
