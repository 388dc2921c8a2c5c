/* Compiling this is the test: C programs include the header as it is. */
#include "runtime/api/hyperacc.h"

int header_test(void);

int header_test(void) {
  char* document = hyperacc_explain("{}");
  hyperacc_free(document);
  return hyperacc_abi() == HYPERACC_ABI;
}
