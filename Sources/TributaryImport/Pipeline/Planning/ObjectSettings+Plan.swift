extension ObjectSettings {
    /// The settings of a run of `plan`.
    init(_ plan: ImportPlan, _ options: ImportOptions) {
        self.init(
            store: plan.store, mode: options.mode, rejectedBytes: options.reading.limits.rejectedBytes,
            keepsSeenKeys: plan.identity.feed != nil, stopsAtReject: plan.maker.stopsAtReject,
            hasTriggers: plan.hasTriggers)
    }
}
