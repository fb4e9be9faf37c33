extension Invocation {
    /// The description of the whole program.
    package static let program = ProgramSpec(
        name: "tributary", version: HelpText.version, date: HelpText.date,
        summary: "imports JSON dumps of any size into SQLite or PostgreSQL",
        commands: commands + [help],
        options: [
            OptionSpec(
                "--help", "-h", help: "Show help for the program or for a command; --help=all shows every option"),
            OptionSpec("--version", "-V", help: "Print the version"),
        ],
        examples: [
            ("tributary import app.sqlite users.json.gz --key id", "rows of a table"),
            ("tributary status app.sqlite", "what was imported"),
            ("tributary records --at '.rows[]' dump.json", "each record on a line"),
            ("tributary validate *.json", "checks files; prints only errors"),
        ],
        exitCodes: HelpText.exitCodes,
        environment: [
            ("TRIBUTARY_HTTP_AUTHORIZATION", "The header Authorization for addresses, as in 'Bearer TOKEN'"),
            ("http_proxy, https_proxy, all_proxy, no_proxy", "The proxies for addresses, as for the command curl"),
            ("CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "Other certificates than those of the system"),
            ("PGPASSWORD", "The password of a database of PostgreSQL"),
            ("PGHOST, PGPORT, PGUSER, PGDATABASE, PGSERVICE", "Parts of the address of PostgreSQL that it lacks"),
            ("NO_COLOR", "With any value, a terminal gets no colors"),
            ("COLUMNS", "The width of tables where no terminal has one"),
            ("LC_ALL, LC_CTYPE, LANG, TERM", "A locale without UTF-8, or TERM=dumb, gets only ASCII in tables"),
        ],
        files: [
            ("~/.netrc", "Users and passwords of addresses"),
            ("~/.pgpass", "Passwords of databases of PostgreSQL"),
        ])

    /// The command that `Invocation.init` runs itself.
    static let help = CommandSpec(
        name: "help", summary: "Show help for a command", operands: "[OPTIONS] [COMMAND]",
        examples: ["tributary help import", "tributary help import --all"],
        discussion: "Without COMMAND it lists the commands. 'tributary COMMAND --help' does the same.",
        options: [OptionSpec("--all", help: "Show every option, and how it works")])
}
