import TributaryJSON
import TributaryPlatform

#if HTTP
    import CTributaryCurl

    /// Makes requests with libcurl, one after the other, each on the calling thread.
    final class CurlTransfer {
        /// How a request ended.
        enum Ending {
            case complete
            /// One of the functions ended it.
            case stopped
            case broken(String)
            case unreachable(String)
            case refused(String, hint: String?)
        }

        private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

        private let curl: UnsafeMutableRawPointer
        private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        private let settings: URLSource.Settings
        private let line, body: (UnsafeRawBufferPointer) -> Bool
        private let isIdle: () -> Bool

        /// Prepares requests; `line` gets each line of a head, `body` the bytes, and each ends the request by false.
        ///
        /// `isIdle` is asked about every second, and ends the request by true.
        init(
            _ request: FetchRequest, line: @escaping (UnsafeRawBufferPointer) -> Bool,
            body: @escaping (UnsafeRawBufferPointer) -> Bool, isIdle: @escaping () -> Bool
        ) throws {
            guard CurlTransfer.isReady, let curl = curl_easy_init() else {
                fatalError("internal error: no memory for libcurl")
            }
            (self.curl, self.line, self.body, self.isIdle, settings) = (curl, line, body, isIdle, request.settings)
            message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            // A broken connection is an error of a call of this thread, not a signal.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            let context = Unmanaged.passUnretained(self).toOpaque()
            let numbers: [(CURLoption, Int)] = [
                (CURLOPT_NOSIGNAL, 1), (CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue)),
                // Of HTTP/2, libcurl would keep many bytes in memory while they are not read.
                (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1), (CURLOPT_HTTP_CONTENT_DECODING, 0),
                (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_BUFFERSIZE, 256 << 10),
                (CURLOPT_CONNECTTIMEOUT_MS, Int(settings.connectTimeout * 1000)),
            ]
            var texts = [(CURLOPT_URL, request.address.text), (CURLOPT_USERAGENT, "tributary")]
            // As the command `curl` does.
            if let file = CurlTransfer.variable("CURL_CA_BUNDLE") ?? CurlTransfer.variable("SSL_CERT_FILE") {
                texts.append((CURLOPT_CAINFO, file))
            }
            if let folder = CurlTransfer.variable("SSL_CERT_DIR") { texts.append((CURLOPT_CAPATH, folder)) }
            let codes =
                [tributary_curl_restrict(curl)] + numbers.map { tributary_curl_set_number(curl, $0, $1) }
                + texts.map { tributary_curl_set_text(curl, $0, $1) }
                + [
                    tributary_curl_set_receivers(
                        curl, context, { CurlTransfer.of($3).receive($0, $2, \.line) },
                        { CurlTransfer.of($3).receive($0, $2, \.body) },
                        { context, _, _, _, _ in CurlTransfer.of(context).isIdle() ? 1 : 0 }, message)
                ]
            if let code = codes.first(where: { $0 != CURLE_OK }) {
                throw JSONError(
                    .sourceOpen,
                    "\(Excerpt.escape(request.name)): libcurl: \(String(cString: curl_easy_strerror(code)))",
                    hint: "check the address, and the version of libcurl")
            }
        }

        deinit {
            curl_easy_cleanup(curl)
            message.deallocate()
        }

        /// Requests the bytes from an offset on, of a version, and returns at the end of the answer.
        func perform(from offset: Int, version: String?) -> Ending {
            // Ranges count the bytes that are stored, so nothing may be compressed on the way.
            var headers = ["Accept-Encoding: identity"]
            if let authorization = settings.authorization { headers.append("Authorization: \(authorization)") }
            if offset > 0, let version { headers.append("If-Range: \(version)") }
            var lines: UnsafeMutablePointer<curl_slist>?
            for header in headers { lines = curl_slist_append(lines, header) }
            defer { curl_slist_free_all(lines) }
            tributary_curl_set_lines(curl, lines)
            tributary_curl_set_text(curl, CURLOPT_RANGE, offset > 0 ? "\(offset)-" : nil)
            message[0] = 0
            let code = curl_easy_perform(curl)
            tributary_curl_set_lines(curl, nil)
            return ending(code)
        }

        private func ending(_ code: CURLcode) -> Ending {
            let text = String(cString: message[0] == 0 ? curl_easy_strerror(code) : UnsafePointer(message))
            switch code {
            case CURLE_OK: return .complete
            case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: return .stopped
            case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: return .broken(text)
            case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
                CURLE_OPERATION_TIMEDOUT,
                CURLE_SSL_CONNECT_ERROR:
                return .unreachable(text)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
                return .refused(
                    "its certificate is not trusted: \(text)",
                    hint: "if it is right, name the file with the certificate of its authority: CURL_CA_BUNDLE=FILE")
            case CURLE_TOO_MANY_REDIRECTS: return .refused("it redirects more than 10 times", hint: "check the address")
            case CURLE_UNSUPPORTED_PROTOCOL:
                return .refused("it redirects to an address without http or https", hint: "check the address")
            default: return .refused(text, hint: "check the address")
            }
        }

        /// The seconds of a header `Retry-After`: a number, or a date.
        static func seconds(_ text: String) -> Double? {
            if let seconds = Double(text), seconds >= 0 { return seconds }
            let date = curl_getdate(text, nil)
            return date < 0 ? nil : max(0, Double(date - time(nil)))
        }

        private static func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
            guard let context else { preconditionFailure("internal error: libcurl lost its context") }
            return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        }

        /// Gives bytes to a function; any number but that of the bytes ends the request.
        private func receive(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
            _ function: KeyPath<CurlTransfer, (UnsafeRawBufferPointer) -> Bool>
        ) -> Int {
            self[keyPath: function](UnsafeRawBufferPointer(start: bytes, count: count)) ? count : count + 1
        }
    }
#else
    /// Stands for the requests in a build without the trait `HTTP`.
    final class CurlTransfer {
        /// How a request ended.
        enum Ending { case complete, stopped, broken(String), unreachable(String), refused(String, hint: String?) }

        init(
            _ request: FetchRequest, line: @escaping (UnsafeRawBufferPointer) -> Bool,
            body: @escaping (UnsafeRawBufferPointer) -> Bool, isIdle: @escaping () -> Bool
        ) throws {
            throw JSONError(
                .sourceOpen, "\(Excerpt.escape(request.name)) is an address, which this build leaves out",
                hint: "build with the package trait HTTP, or read it with: curl -L ADDRESS | tributary … -")
        }

        func perform(from offset: Int, version: String?) -> Ending { .stopped }

        static func seconds(_ text: String) -> Double? { nil }
    }
#endif
