extension Dump {
    /// Appends record `index`.
    func record(_ index: Int, _ random: inout SeededGenerator, into text: inout String) {
        switch kind {
        case .users, .usersNDJSON: user(index, &random, into: &text)
        case .usersObject:
            text += "\"u\(index)\":"
            user(index, &random, into: &text)
        case .readings: reading(index, into: &text)
        case .wikidata: text += entity(index, &random)
        case .musicbrainz:
            text +=
                #"{"id":"\#(uuid(&random))","title":"\#(words(3, &random))","artist-credit":[{"name":"\#(name(&random))","#
            text +=
                #""artist":{"id":"a\#(random.below(50))","sort-name":"\#(name(&random))"}}],"length":\#(length(&random))}"#
        case .openalex:
            let year = 1990 + random.below(35)
            text += #"{"id":"https://openalex.org/W\#(index)","doi":\#(index % 7 == 0 ? "null" : "\"10.1/\(index)\""),"#
            text +=
                #""publication_year":\#(year),"title":"\#(words(6, &random))","cited_by_count":\#(random.below(900)),"#
            text += #""merged_into":\#(index % 50 == 9 ? "\"W\(index - 1)\"" : "null")}"#
        case .crossref: text += work(index, &random)
        case .gharchive: text += event(index, &random)
        case .reddit:
            let edited = random.pick(["false", "1700000\(100 + random.below(800))", "1.7e9"])
            let author = random.once(in: 9) ? "[deleted]" : "u\(random.below(1000))"
            text += #"{"id":"t1_\#(String(index, radix: 36))","author":"\#(author)","edited":\#(edited),"#
            text += #""score":\#(random.below(5000) - 100),"body":"\#(words(12, &random))"}"#
        case .geojson: text += feature(index, &random)
        case .openfda:
            text +=
                #"{"id": "\#(index)", "openfda": {"brand_name": ["\#(words(1, &random))", "\#(words(2, &random))"]}, "#
            text += #""effective_time": "20\#(10 + index % 15)0\#(1 + index % 9)15"}"#
        case .yelp: text += yelp(index, &random)
        case .prices:
            text +=
                #"{"description":"\#(words(4, &random))","code_information":[{"code":"\#(10000 + index)","type":"CPT"}],"#
            text +=
                #""standard_charges":[{"gross_charge":\#(random.below(100_000)).\#(10 + random.below(90)),"setting":"both"}]}"#
        case .trace:
            let phase = random.pick(["X", "B", "E", "M"])
            text +=
                #"{"ph":"\#(phase)","pid":1,"tid":\#(random.below(8)),"ts":\#(index * 13).5,"name":"\#(words(1, &random))"#
            text += #"","args":\#(phase == "M" ? #"{"name":"thread"}"# : "{}")}"#
        case .couchdb:
            let isDeleted = index % 11 == 5
            text += #"{"id":"doc\#(index)","key":"doc\#(index)","value":{"rev":"1-\#(random.below(99999))"},"doc":"#
            text += isDeleted ? "null}" : #"{"_id":"doc\#(index)","name":"\#(name(&random))"}}"#
        case .firebase:
            text +=
                index < (count + 1) / 2
                ? #""-U\#(index)":{"name":"\#(name(&random))","friends":{"-U\#(random.below(count))":true}}"#
                : #""-P\#(index)":{"author":"-U\#(random.below(count))","text":"\#(words(5, &random))","likes":[null,1]}"#
        case .fhirBundle: text += #"{"fullUrl":"urn:uuid:\#(uuid(&random))","resource":\#(resource(index, &random))}"#
        case .fhirBulk: text += resource(index, &random)
        case .trello:
            text +=
                index < (count + 1) / 2
                ? #"{"id":"c\#(index)","name":"\#(words(3, &random))","idList":"l\#(random.below(4))","labels":[{"id":"x"}]}"#
                : #"{"id":"l\#(index)","name":"\#(words(1, &random))","closed":\#(index % 5 == 0)}"#
        case .slack:
            text += "{\n        \"type\": \"message\",\n        \"user\": \"U\(random.below(30))\",\n        \"ts\": "
            text +=
                "\"1700000\(100 + index).000\(100 + random.below(800))\",\n        \"text\": \"\(words(7, &random))\"\n    }"
        case .mongoexport:
            text +=
                #"{"_id":{"$oid":"\#(hexadecimal(24, &random))"},"at":{"$date":"2024-03-0\#(1 + index % 9)T10:00:00Z"},"#
            text += #""n":{"$numberLong":"\#(random.next() >> 1)"},"name":"\#(name(&random))"}"#
        case .llm:
            text +=
                #"{"ts":\#(1_700_000_000 + index),"model":"made","messages":[{"role":"user","content":"\#(words(9, &random))"}]"#
            text += index % 3 == 0 ? #","usage":{"tokens":\#(random.below(4000))}}"# : "}"
        }
    }

    /// Appends a reading, whose values follow from its index and the seed.
    private func reading(_ index: Int, into text: inout String) {
        let number = index + Int(seed % 1_000_000)
        let (minute, device) = (number / 60 % 60, number % 997)
        text += "{\"id\":"
        text += (index * step % count + 1).description
        text += ",\"device\":\"d"
        text += device.description
        text += "\",\"at\":\"2024-03-13T08:"
        text += minute < 10 ? "0" : ""
        text += minute.description
        text += ":07Z\",\"temperature\":"
        text += (number % 400 / 10).description
        text += "."
        text += (number % 10).description
        text += ",\"humidity\":"
        text += (number % 101).description
        text += number % 8 == 0 ? "}" : ",\"ok\":true}"
    }

    private func user(_ index: Int, _ random: inout SeededGenerator, into text: inout String) {
        let id = ids.map { Int($0[index]) } ?? index + 1
        text += "{\"id\":\(id),\"name\":\"\(name(&random))\",\"email\":\"user\(id)@example\(random.below(50)).com\","
        text +=
            "\"age\":\(18 + random.below(70)),\"balance\":\(random.below(200_000) - 20_000).\(10 + random.below(90)),"
        text += "\"active\":\(random.below(2) == 0),\"created\":\"20\(10 + random.below(15))-0\(1 + random.below(9))-1"
        text +=
            "\(random.below(10))T0\(random.below(10)):\(10 + random.below(50)):00Z\",\"bio\":\"\(words(9, &random))\","
        text +=
            "\"address\":{\"street\":\"\(1 + random.below(900)) \(words(1, &random)) St\",\"city\":\"\(words(1, &random))\","
        text +=
            "\"zip\":\"0\(1000 + random.below(9000))\"},\"tags\":[\"\(words(1, &random))\",\"\(words(1, &random))\"]}"
    }

    private func entity(_ index: Int, _ random: inout SeededGenerator) -> String {
        let target = random.below(max(1, count))
        let claims =
            index % 5 == 0
            ? "[]" : #"{"P31":[{"mainsnak":{"datavalue":{"value":{"id":"Q\#(target)"},"type":"wikibase-entityid"}}}]}"#
        return
            #"{"type":"item","id":"Q\#(index)","labels":{"en":{"language":"en","value":"\#(words(2, &random))"}},"claims":\#(claims)}"#
    }

    private func work(_ index: Int, _ random: inout SeededGenerator) -> String {
        // Every twentieth work is a duplicate.
        let id = index % 20 == 19 ? index - 1 : index
        return """
                {
                  "DOI": "10.5555/\(id)",
                  "title": [
                    "\(words(5, &random))"
                  ],
                  "author": [
                    {
                      "family": "\(name(&random))",
                      "sequence": "first"
                    }
                  ]
                }
            """
    }

    private func event(_ index: Int, _ random: inout SeededGenerator) -> String {
        let type = random.pick(["PushEvent", "WatchEvent", "IssuesEvent"])
        let payload =
            switch type {
            case "PushEvent": #"{"size":\#(random.below(5)),"commits":[{"sha":"\#(hexadecimal(8, &random))"}]}"#
            case "WatchEvent": #"{"action":"started"}"#
            default: #"{"action":"opened","issue":{"id":\#(random.below(99999)),"title":"\#(words(4, &random))"}}"#
            }
        return
            #"{"id":"\#(30_000_000_000 + index)","type":"\#(type)","actor":{"id":\#(random.below(999))},"payload":\#(payload),"public":true}"#
    }

    private func feature(_ index: Int, _ random: inout SeededGenerator) -> String {
        let ring = (0..<4).map { _ in "[\(random.below(180)).\(random.below(100)),-\(random.below(90)).5]" }
        return #"{"type":"Feature","id":\#(index),"properties":{"name":"\#(words(2, &random))"},"geometry":"#
            + #"{"type":"Polygon","coordinates":[[\#(ring.joined(separator: ","))]]}}"#
    }

    private func yelp(_ index: Int, _ random: inout SeededGenerator) -> String {
        switch index % 3 {
        case 0: #"{"business_id":"b\#(index)","name":"\#(words(2, &random))","stars":\#(1 + random.below(5)).5}"#
        case 1: #"{"user_id":"u\#(index)","name":"\#(name(&random))","friends":"u\#(random.below(count)), u1"}"#
        default:
            #"{"review_id":"r\#(index)","user_id":"u\#(random.below(count))","business_id":"b\#(random.below(count))","text":"\#(words(8, &random))"}"#
        }
    }

    private func resource(_ index: Int, _ random: inout SeededGenerator) -> String {
        index % 2 == 0
            ? #"{"resourceType":"Patient","id":"p\#(index)","name":[{"family":"\#(name(&random))"}],"birthDate":"19\#(50 + index % 50)-07-01"}"#
            : #"{"resourceType":"Observation","id":"o\#(index)","subject":{"reference":"Patient/p\#(random.below(count) & ~1)"},"valueQuantity":{"value":\#(random.below(200)).25}}"#
    }
}
