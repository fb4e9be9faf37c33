extension Dump {
    var layout: Layout {
        switch kind {
        case .users, .wikidata: Layout(header: "[\n", separator: ",\n", footer: "\n]\n")
        case .slack: Layout(header: "[\n    ", separator: ",\n    ", footer: "\n]")
        case .usersObject: Layout(header: "{", separator: ",", footer: "}")
        case .crossref: Layout(header: "{\n  \"items\": [\n", separator: ",\n", footer: "\n  ]\n}\n")
        case .geojson:
            Layout(
                header: #"{"type":"FeatureCollection","name":"made","features":["#, separator: ",", footer: "]}")
        case .openfda:
            Layout(
                header: """
                    {
                      "meta": {"disclaimer": "made, not true", "results": {"skip": 0, "limit": \(count), "total": \(count)}},
                      "results": [
                    """ + "\n    ", separator: ",\n    ", footer: "\n  ]\n}\n")
        case .prices:
            Layout(
                header: "\u{FEFF}"
                    + #"{"hospital_name":"Made Hospital","version":"2.0","standard_charge_information":["#,
                separator: ",", footer: "]}")
        case .trace: Layout(header: "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", separator: ",\n", footer: "\n")
        case .couchdb:
            Layout(
                header: "{\"total_rows\":\(count),\"offset\":0,\"rows\":[\r\n", separator: ",\r\n", footer: "\r\n]}\n")
        case .fhirBundle:
            Layout(header: #"{"resourceType":"Bundle","type":"collection","entry":["#, separator: ",", footer: "]}")
        case .fhirBulk: Layout(separator: "\n\n")
        case .firebase: Layout(header: #"{"users":{"#, footer: "}}")
        case .trello: Layout(header: #"{"id":"board","name":"Made","cards":["#, footer: "]}")
        case .llm: Layout(footer: "\n" + #"{"ts":1700000000,"model":"made","mess"#)
        default: Layout()
        }
    }

    /// The text between record `index` - 1 and record `index`; some kinds begin another collection half-way.
    func separator(before index: Int, _ layout: Layout) -> String {
        switch kind {
        case .firebase: index == (count + 1) / 2 ? #"},"posts":{"# : ","
        case .trello: index == (count + 1) / 2 ? #"],"lists":["# : ","
        default: layout.separator
        }
    }
}
