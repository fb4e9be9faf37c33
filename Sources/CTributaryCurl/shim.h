#ifndef TRIBUTARY_CURL_SHIM_H
#define TRIBUTARY_CURL_SHIM_H

#include <curl/curl.h>

/* Swift cannot call variadic functions. */
static inline CURLcode tributary_curl_set_text(CURL *curl, CURLoption option, const char *text) {
    return curl_easy_setopt(curl, option, text);
}

static inline CURLcode tributary_curl_set_number(CURL *curl, CURLoption option, long number) {
    return curl_easy_setopt(curl, option, number);
}

static inline CURLcode tributary_curl_set_lines(CURL *curl, struct curl_slist *lines) {
    return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
}

typedef size_t (*tributary_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
typedef int (*tributary_curl_watcher)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode tributary_curl_set_receivers(
    CURL *curl, void *context, tributary_curl_receiver line, tributary_curl_receiver body,
    tributary_curl_watcher watch, char *message) {
    CURLcode codes[] = {
        curl_easy_setopt(curl, CURLOPT_HEADERDATA, context), curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, line),
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, context), curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body),
        curl_easy_setopt(curl, CURLOPT_XFERINFODATA, context),
        curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, watch), curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L),
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, message),
    };
    for (size_t index = 0; index < sizeof(codes) / sizeof(*codes); index++)
        if (codes[index] != CURLE_OK) return codes[index];
    return CURLE_OK;
}

/* Follows at most 10 redirects, and never to another protocol than http and https. */
static inline CURLcode tributary_curl_restrict(CURL *curl) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L);
#if LIBCURL_VERSION_NUM >= 0x075500
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
    return code;
}

#endif
