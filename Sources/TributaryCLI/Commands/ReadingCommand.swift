import TributaryJSON

/// A command that reads JSON files.
protocol ReadingCommand {
    /// The files; none for standard input.
    var operands: [String] { get }
    /// Whether subdirectories of directories are read as well.
    var isRecursive: Bool { get }
    /// Whether a file that is named twice is read once.
    var readsFilesOnce: Bool { get }
    /// The settings of reading.
    var reading: ReadOptions { get }
}

extension ReadingCommand {
    var readsFilesOnce: Bool { false }
}
