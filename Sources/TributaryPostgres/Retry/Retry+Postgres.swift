public import TributaryImport
public import TributaryModel

extension Retry {
    /// A retry of the rejects of `source` in a database of PostgreSQL; without a model columns are inferred, or are those
    /// of the tables.
    ///
    /// A dry run is refused.
    public convenience init(
        into address: PostgresAddress, from source: RejectSource = .store, model: Model? = nil,
        options: RetryOptions = RetryOptions()
    ) {
        self.init(of: source, options: options) {
            guard !options.isDryRun else {
                throw ImportError(
                    .misuse, "a dry run is not for PostgreSQL", hint: "leave it out, or import into SQLite")
            }
            return Target(PostgresDatabase(address), model) { try RetryImport($0, model, into: address) }
        }
    }
}
