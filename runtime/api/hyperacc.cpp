// The C functions: nothing but the way from a document, an error or an exception to a C string.
#include "runtime/api/hyperacc.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "runtime/api/document.hpp"
#include "runtime/api/explain_document.hpp"
#include "runtime/api/features_document.hpp"
#include "runtime/api/request.hpp"
#include "runtime/api/status_document.hpp"

namespace hyperacc::api {
namespace {

// What is answered when there is no memory for an answer; hyperacc_free knows it.
char out_of_memory[] = R"({"error": "out of memory", "kind": "failure"})";

Json error_document(const Failure& failure) {
  const bool usage = failure.kind == Failure::Kind::usage;
  return {{"error", failure.text}, {"kind", usage ? "usage" : "failure"}};
}

char* c_string(const Json& document) {
  // File names and variables may hold any bytes; JSON is UTF-8.
  const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return out_of_memory;
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

template <class Answer>
char* guarded(Answer answer) noexcept {
  try {
    try {
      const Expected<Json> document = answer();
      return c_string(document ? *document : error_document(document.error()));
    } catch (const std::bad_alloc&) {
      return out_of_memory;
    } catch (const std::exception& error) {
      return c_string(error_document({Failure::Kind::failure, error.what()}));
    }
  } catch (...) {
    return out_of_memory;
  }
}

Expected<Request> request_of(const char* text) {
  return parse_request(text, environment_from(environ));
}

}  // namespace
}  // namespace hyperacc::api

using namespace hyperacc::api;

int hyperacc_abi(void) {
  return HYPERACC_ABI;
}

void hyperacc_free(char* document) {
  if (document != out_of_memory) std::free(document);
}

char* hyperacc_features(void) {
  return guarded([] { return Expected<Json>(features_document()); });
}

char* hyperacc_explain(const char* request) {
  return guarded([request] { return request_of(request).and_then(explain_document); });
}

char* hyperacc_status(const char* request) {
  return guarded([request] { return request_of(request).and_then(status_document); });
}
