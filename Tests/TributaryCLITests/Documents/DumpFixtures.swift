/// Small files in the shape of public dumps, by their names.
enum DumpFixtures {
    /// The page that imports them.
    static let page = "docs/dumps.md"

    static let files: [String: String] = [
        "bundle.json": ##"""
        {"resourceType":"Bundle","type":"collection","entry":[
        {"fullUrl":"urn:uuid:17","resource":{"resourceType":"Patient","id":"p0","name":[{"family":"Kowalski"}],"birthDate":"1950-07-01"}},
        {"fullUrl":"urn:uuid:7c","resource":{"resourceType":"Observation","id":"o1","subject":{"reference":"Patient/p0"},"valueQuantity":{"value":3.25}}}
        ]}

        """##,
        "2026-01-01-0.json": ##"""
        {"id":"30000000000","type":"IssuesEvent","actor":{"id":171},"payload":{"action":"opened","issue":{"id":77461}},"public":true}
        {"id":"30000000001","type":"PushEvent","actor":{"id":263},"payload":{"size":0,"commits":[{"sha":"61e0a8b3"}]},"public":true}
        {"id":"30000000002","type":"IssuesEvent","actor":{"id":18},"payload":{"action":"closed","issue":{"id":29529}},"public":true}

        """##,
        "towns.geojson": ##"""
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":1,"properties":{"name":"Graz","people":291072},"geometry":{"type":"Point","coordinates":[15.44,47.07]}},
        {"type":"Feature","id":2,"properties":{"name":"Null Island","people":null},"geometry":null}]}

        """##,
        "entities.json": ##"""
        [
        {"type":"item","id":"Q1","labels":{"en":{"language":"en","value":"universe"},"de":{"language":"de","value":"Universum"}},"claims":{"P31":[{"rank":"normal","mainsnak":{"property":"P31","datavalue":{"value":{"id":"Q36906466"}}}}],"P580":[{"rank":"normal","mainsnak":{"property":"P580","datavalue":{"value":{"time":"-13798000000-00-00T00:00:00Z"}}}}]}},
        {"type":"item","id":"Q2","labels":{"en":{"language":"en","value":"Earth"}},"claims":[]}
        ]

        """##,
        "all_docs.json": ##"""
        {"total_rows":3,"offset":0,"rows":[
        {"id":"_design/app","key":"_design/app","value":{"rev":"1-a"},"doc":{"_id":"_design/app","_rev":"1-a","views":{}}},
        {"id":"ada","key":"ada","value":{"rev":"2-b"},"doc":{"_id":"ada","_rev":"2-b","name":"Ada"}},
        {"id":"ben","key":"ben","value":{"rev":"1-c"},"doc":{"_id":"ben","_rev":"1-c","name":"Ben"}}
        ]}

        """##,
        "export.json": ##"""
        {"users":{"-Nx1":{"name":"Ada","friends":{"-Nx2":true,"-Nx3":true}},"-Nx2":{"name":"Ben","friends":{"-Nx1":true}},"-Nx3":{"name":"Cem"}},
        "posts":{"-P1":{"author":"-Nx1","text":"Hello"}}}

        """##,
        "drug-label-0001-of-0001.json": ##"""
        {"meta":{"last_updated":"2026-01-02","results":{"skip":0,"limit":2,"total":2}},
        "results":[
        {"id":"a1","effective_time":"20250101","openfda":{"brand_name":["Alpha"],"route":["ORAL"]}},
        {"id":"a2","effective_time":"20250301","openfda":{}}
        ]}

        """##,
        "0.json": ##"""
        {"items":[{"DOI":"10.5555/1","title":["On tables"],"author":[{"family":"Ng","sequence":"first"},{"family":"Ito","sequence":"additional"}],"issued":{"date-parts":[[2020,5]]}}]}

        """##,
        "1.json": ##"""
        {"items":[{"DOI":"10.5555/2","title":["On keys"],"author":[{"family":"Ng","sequence":"first"}],"issued":{"date-parts":[[null]]}}]}

        """##,
        "part_000.jsonl": ##"""
        {"id":"https://openalex.org/W1","doi":null,"title":"On tables","publication_year":2020,"authorships":[{"author_position":"first","author":{"id":"https://openalex.org/A1","display_name":"Mai Ng"}}]}
        {"id":"https://openalex.org/W2","doi":"https://doi.org/10.5555/2","title":"On keys","publication_year":2021,"authorships":[{"author_position":"first","author":{"id":"https://openalex.org/A1","display_name":"Mai Ng"}}]}

        """##,
        "orders.json": ##"""
        {"_id":{"$oid":"507f1f77bcf86cd799439011"},"at":{"$date":"2026-03-01T10:00:00Z"},"total":{"$numberDecimal":"12.50"},"by":{"name":"Ada","points":{"$numberLong":"9007199254740993"}}}
        {"_id":{"$oid":"507f1f77bcf86cd799439012"},"at":{"$date":{"$numberLong":"1772359200000"}},"total":{"$numberDecimal":"3.1"},"by":null}

        """##,
        "products.json": ##"""
        {"_index":"products","_type":"_doc","_id":"p1","_score":1,"_source":{"name":"Lamp","price":20.5}}
        {"_index":"products","_type":"_doc","_id":"p2","_score":1,"_source":{"name":"Desk","price":99}}

        """##,
        "charges.json": ##"""
        {"hospital_name":"General","version":"3.0.0","standard_charge_information":[
        {"description":"X-ray","code_information":[{"code":"71045","type":"CPT"}],"standard_charges":[{"gross_charge":310.5,"setting":"outpatient"},{"gross_charge":420,"setting":"inpatient"}]},
        {"description":"Aspirin","code_information":[{"code":"J0000","type":"HCPCS"}],"standard_charges":[{"gross_charge":2.1,"setting":"both"}]}]}

        """##,
        "recording.json": ##"""
        {"id":"b1","title":"Emma","length":308079,"artist-credit":[{"name":"Mai","joinphrase":" & ","artist":{"id":"a1","name":"Mai Ng"}},{"name":"Ito","joinphrase":"","artist":{"id":"a2","name":"Ito"}}]}
        {"id":"b2","title":"Persuasion","length":null,"artist-credit":[{"name":"Mai","joinphrase":"","artist":{"id":"a1","name":"Mai Ng"}}]}

        """##,
        "products.jsonl": ##"""
        {"_id":"3017620422003","code":"3017620422003","product_name":"Spread","nutriments":{"energy_100g":2252,"sugars_100g":56.3},"images":{"1":{"uploader":"kiliweb","uploaded_t":1457680652},"front_fr":{"imgid":"1"}},"last_modified_t":1700000000}
        {"_id":"3175680011480","code":"3175680011480","product_name":"Biscuit","nutriments":{"energy_100g":1979},"images":{},"last_modified_t":1700000100}

        """##,
        "RC_2020-01.ndjson": ##"""
        {"id":"c1","author":"ada","score":5,"edited":false,"created_utc":1577836800,"body":"Hello"}
        {"id":"c2","author":"[deleted]","score":-1,"edited":1577836900.0,"created_utc":"1577836801","body":"[removed]"}

        """##,
        "yelp_academic_dataset_review.json": ##"""
        {"review_id":"r1","business_id":"b1","user_id":"u1","stars":5,"text":"Good"}
        {"review_id":"r2","business_id":"b1","user_id":"u2","stars":1,"text":"Bad"}

        """##,
    ]
}
