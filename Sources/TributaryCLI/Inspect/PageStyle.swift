/// How the page of a profile looks: on light and dark screens, narrow and wide ones, and on paper.
enum PageStyle {
    /// The style sheet.
    static let css = """
        :root { color-scheme: light dark; --text: #1c2330; --soft: #55606e; --line: #d8dde4; --back: #ffffff;
          --area: #f4f6f9; --bar: #2f6db3; --strong: #12508f }
        @media (prefers-color-scheme: dark) {
          :root { --text: #e6eaf0; --soft: #a3afbd; --line: #39424e; --back: #14181e; --area: #1d232b;
            --bar: #6aa5e3; --strong: #8dc0f5 }
        }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 82rem; padding: 1.5rem clamp(1rem, 3vw, 3rem); background: var(--back);
          color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; overflow-wrap: anywhere }
        h2 { font-size: 1.25rem; margin: 2rem 0 .5rem }
        h3 { font: 600 1.05rem/1.3 ui-monospace, "DejaVu Sans Mono", monospace; margin: 0 0 .5rem;
          overflow-wrap: anywhere }
        a { color: var(--strong); text-underline-offset: .2em }
        a:focus-visible, .wide:focus-visible { outline: 3px solid var(--bar); outline-offset: 2px }
        .skip { position: absolute; left: -100rem }
        .skip:focus { position: static }
        pre { background: var(--area); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem 1rem;
          white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 0 }
        .facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0 0 1rem }
        .facts dt { color: var(--soft); font-size: .85rem }
        .facts dd { margin: 0; overflow-wrap: anywhere }
        .wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem }
        table { border-collapse: collapse; width: 100%; font-size: .92rem }
        caption { text-align: left; color: var(--soft); font-size: .85rem; padding: .5rem .75rem }
        th, td { text-align: left; vertical-align: top; padding: .4rem .75rem; border-top: 1px solid var(--line) }
        thead th { background: var(--area); font-size: .85rem; white-space: nowrap }
        tbody th { font: 500 .9rem/1.6 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere;
          min-width: 9rem }
        td { overflow-wrap: anywhere }
        .kind { overflow-wrap: normal; min-width: 4.5rem }
        .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
        .bar { fill: var(--bar) }
        .chart { display: block; max-width: 100%; height: auto }
        .path { border-top: 1px solid var(--line); padding: 1.25rem 0 .5rem; break-inside: avoid }
        .common { width: auto; margin-top: .75rem }
        .common caption { padding-left: 0 }
        footer { color: var(--soft); font-size: .85rem; border-top: 1px solid var(--line); margin-top: 2rem }
        @media (max-width: 40rem) {
          .extra { display: none }
          th, td { padding: .35rem .5rem }
          tbody th { min-width: 7rem }
        }
        @media print {
          :root { --text: #000; --soft: #444; --line: #bbb; --back: #fff; --area: #fff; --bar: #444; --strong: #000 }
          body { max-width: none; padding: 0; font-size: 9pt }
          .wide { overflow: visible; border: 0 }
          .skip { display: none }
        }
        """
}
