/// The options of `import`, `sync` and `retry`, each with one or several of its values.
enum OptionTable {
    /// All samples; a word such as `CHANGES` stands for a file of the trial.
    static let all: [OptionSample] =
        samples(
            [.load, .sync, .retry], .none,
            "--batch-size 3", "--jobs 2", "--max-memory 64M", "--json", "--quiet", "--progress never",
            "--progress always", "--verbose", "--buffer-size 64")
        + samples(
            [.load, .sync], .none, "--recursive", "--allow-empty", "--first-load auto", "--first-load groups",
            "--dangling wait", "--nan reject", "--format auto", "--max-ratio 1000")
        + samples(
            [.load, .sync], .identity,
            "--max-bytes 1G", "--max-ratio 500", "--max-window 16M", "--max-search 1M", "--encoding utf-8",
            "--nan null",
            "--nan text")
        + samples(
            [.load, .sync, .retry], .identity,
            "--max-depth 100", "--max-string 1M", "--max-key 1K", "--max-number 100", "--max-record 1M",
            "--max-keys 1000", "--key-as _key")
        + samples([.load], .none, "--mode upsert", "--connections 2")
        + samples([.load], .identity, "--limit 1000")
        + samples([.load, .sync], .result, "--profile profile.json")
        + samples(
            [.load], .result,
            "--mode insert", "--mode update", "--mode ignore", "--mode replace", "--append", "--truncate",
            "--add-columns", "--rest more", "--source-column source", "--join")
        + samples(
            [.load, .sync], .result,
            "--at []", "--where id != 2", "--route-by kind", "--format array", "--format json",
            "--extended-json never", "--numbers rounded", "--print-map",
            "--dangling stub", "--dangling null", "--all", "--first-load direct", "--types n=real",
            "--numbers exact", "--flatten", "--relations", "--relations=all", "--columns id,name", "--restart",
            "--convert id=number", "--default name=none", "--not-null id", "--index id", "--unique id",
            "--again", "--undoable", "--changes CHANGES", "--search id", "--staged", "--expect-min 2",
            "--on-error stop",
            "--on-error skip", "--on-error quarantine", "--max-errors 5", "--max-errors 50%", "--rejects REJECTS")
        + samples([.load, .sync], .none, "--extended-json auto")
        + samples(
            [.load, .sync, .retry], .result,
            "--model model.xml", "--entity users", "--key id", "--remote-key id", "--map map.json", "--dry-run")
        + samples([.sync], .result, "--feed f", "--scope n > 0", "--max-delete 50%", "--soft-delete gone")
        + samples(
            [.retry], .result,
            "--run 1", "--mode upsert", "--mode insert", "--mode update", "--mode ignore",
            "--mode replace")

    /// Options that change neither rows nor counts, and that a repeated command may have or not.
    ///
    /// No two of them exclude each other, but an option may be there with several values.
    static let neutral = all.filter {
        $0.effect == .none && $0.words != ["--progress", "always"] && $0.name != "--verbose"
            && $0.name != "--connections"
    }

    private static func samples(
        _ commands: [OptionSample.Command], _ effect: OptionSample.Effect, _ texts: String...
    ) -> [OptionSample] {
        texts.map { text in
            let words = text.split(separator: " ", maxSplits: 1).map(String.init)
            return OptionSample(words: words, commands: commands, effect: effect)
        }
    }
}
