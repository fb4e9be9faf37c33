import Testing

import TributaryBrowse

/// Templates: values, sections, files and escapes.
struct TemplateTests {
    @Test("Values are escaped, sections repeated, and files included")
    func everyForm() {
        let template = Template(
            "<h1>{{title}}</h1>{{#rows}}<p>{{name}} {{title}}</p>{{>end}}{{/rows}}{{^rows}}none{{/rows}}")
        let files = ["end": Template("<hr title=\"{{name}}\">")]
        #expect(
            template.text(["title": "a<b>", "rows": [["name": "\"x\" & 'y'"]]], files)
                == "<h1>a&lt;b&gt;</h1><p>&quot;x&quot; &amp; &#39;y&#39; a&lt;b&gt;</p><hr title=\"&quot;x&quot; &amp; &#39;y&#39;\">"
        )
        #expect(template.text(["title": "\u{0}\u{7F}\u{202E}"], files) == "<h1>␀␡\u{FFFD}</h1>none")
    }
}
