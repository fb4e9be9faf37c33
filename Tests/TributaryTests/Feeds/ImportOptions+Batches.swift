import Tributary

extension ImportOptions {
    /// Two jobs, and batches of a size that a test chooses.
    static func batches(of size: Int, onError policy: ErrorPolicy) -> ImportOptions {
        var options = ImportOptions()
        options.jobs = 2
        options.batchSize = size
        options.onError = policy
        return options
    }

    /// The same options, with a file for the rejects and direct loads of empty tables.
    static func loads(of size: Int, rejects: String) -> ImportOptions {
        var options = batches(of: size, rejects: rejects)
        options.firstLoad = .direct
        return options
    }

    /// The same options, with a file for the rejects.
    static func batches(of size: Int, rejects: String) -> ImportOptions {
        var options = batches(of: size, onError: .quarantine)
        options.rejects = rejects
        return options
    }
}
