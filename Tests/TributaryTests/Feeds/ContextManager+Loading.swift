import TributaryGraph
import TributaryJSON

import Tributary

extension ContextManager {
    /// Imports a source by these routes.
    @discardableResult
    func load(
        _ source: any ByteSource, _ routes: [ImportRoute], _ options: ImportOptions = ImportOptions()
    ) throws -> ImportSummary {
        try StreamImport(into: self, from: [source], routes: routes, options: options).perform().summary
    }
}
