#include "spank/duplicates.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string>
#include <vector>

namespace hyperacc::spank {
namespace {

struct Walk {
  ElfW(Addr) own_base = 0;
  std::vector<std::string> earlier;  // paths of the objects loaded before this one
};

// Objects come in the order in which they were loaded.
int visit(dl_phdr_info* object, std::size_t, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  if (object->dlpi_addr == walk.own_base) return 1;
  // Only a name with '/' is found again without a search through library folders.
  if (std::strchr(object->dlpi_name, '/') != nullptr) walk.earlier.emplace_back(object->dlpi_name);
  return 0;
}

bool is_this_plugin(const std::string& path) {
  void* object = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return false;
  const char* type = static_cast<const char*>(dlsym(object, "plugin_type"));
  const char* plugin = static_cast<const char*>(dlsym(object, "plugin_name"));
  const bool same = type != nullptr && plugin != nullptr && std::strcmp(type, "spank") == 0 &&
                    std::strcmp(plugin, "hyperacc") == 0;
  dlclose(object);
  return same;
}

// Any address of this library.
const char g_own_address = 0;

bool loaded_after_a_copy() {
  Dl_info own{};
  if (dladdr(&g_own_address, &own) == 0) return false;
  Walk walk;
  walk.own_base = reinterpret_cast<ElfW(Addr)>(own.dli_fbase);
  dl_iterate_phdr(visit, &walk);
  for (const std::string& path : walk.earlier) {
    if (is_this_plugin(path)) return true;
  }
  return false;
}

}  // namespace

bool Duplicates::is_later_copy() noexcept {
  if (copy_ == Copy::unknown) {
    copy_ = Copy::first;
    try {
      if (loaded_after_a_copy()) copy_ = Copy::later;
    } catch (...) {  // out of memory: acting twice is the smaller harm
    }
  }
  return copy_ == Copy::later;
}

bool Duplicates::takes_init() noexcept {
  ++lines_;
  return !is_later_copy() && lines_ == 1;
}

bool Duplicates::takes(Callback callback) noexcept {
  const unsigned call = calls_[index(callback)]++;
  if (is_later_copy()) return false;
  return lines_ == 0 ? call == 0 : call % lines_ == 0;
}

const char* Duplicates::remark() const noexcept {
  return copy_ == Copy::later ? "inert: another copy of the plugin was loaded before this one"
                              : "listed twice in plugstack.conf: only the first line counts";
}

}  // namespace hyperacc::spank
