#include "runtime/machine/nvidia_gpus.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;
using Strings = std::vector<std::string>;

namespace {

constexpr const char* kInformation =
    "Model: \t\t NVIDIA H100 80GB HBM3\nGPU UUID: \t GPU-12345678-0000-4000-8000-000000000000\n"
    "Bus Location: \t 0000:17:00.0\nDevice Minor: \t 5\n";
constexpr const char* kGpu = "/proc/driver/nvidia/gpus/0000:17:00.0/information";

}  // namespace

TEST_CASE("the driver's own words") {
  const ScratchMachine machine;
  machine.write(kGpu, kInformation);
  const std::vector<Accelerator> gpus = find_nvidia_gpus(machine.root());
  REQUIRE(gpus.size() == 1);
  CHECK(gpus[0].pci_address == "0000:17:00.0");
  CHECK(gpus[0].name == "NVIDIA H100 80GB HBM3");
  CHECK(gpus[0].uuid == "GPU-12345678-0000-4000-8000-000000000000");
  // The minor, not the position: they differ on many systems.
  CHECK(gpus[0].device_files == Strings{"/dev/nvidia5"});
  CHECK(gpus[0].evidence == Strings{"/proc/driver/nvidia/gpus/0000:17:00.0"});
  CHECK(gpus[0].numa_node == -1);
}

TEST_CASE("a UUID that the driver has not read yet is unknown") {
  const ScratchMachine machine;
  // The driver prints a question mark for each digit (in a literal, "??-" would be a trigraph).
  std::string uuid = "GPU-00000000-0000-0000-0000-000000000000";
  std::replace(uuid.begin(), uuid.end(), '0', '?');
  machine.write(kGpu, "GPU UUID: \t " + uuid + "\nDevice Minor: 0\n");
  CHECK(find_nvidia_gpus(machine.root()).at(0).uuid.empty());
}

TEST_CASE("an excluded GPU is none") {
  const ScratchMachine machine;
  machine.write(kGpu, std::string(kInformation) + "GPU Excluded:\t Yes\n");
  CHECK(find_nvidia_gpus(machine.root()).empty());
}

TEST_CASE("a GPU without a readable minor has no device file, and so cannot be opened") {
  const ScratchMachine machine;
  machine.write(kGpu, "Model: NVIDIA H100\nDevice Minor: none\n");
  CHECK(find_nvidia_gpus(machine.root()).at(0).device_files.empty());
}

TEST_CASE("virtual functions and MIG instances are no GPUs of their own") {
  CHECK(find_nvidia_gpus(test::recorded_machine("nvidia_mig")).size() == 2);
  // Nor where only the device files tell: one file, and one device beside its virtual functions.
  const ScratchMachine machine("nvidia_mig");
  machine.remove("/proc/driver/nvidia");
  machine.remove("/dev/nvidia1");
  machine.remove("/sys/bus/pci/drivers/nvidia/0000:ca:00.0");
  const std::vector<Accelerator> gpus = find_nvidia_gpus(machine.root());
  REQUIRE(gpus.size() == 1);
  CHECK(gpus[0].pci_address == "0000:17:00.0");
  CHECK(gpus[0].numa_node == 0);
  CHECK(gpus[0].evidence == Strings{"/dev/nvidia0", "/sys/bus/pci/drivers/nvidia/0000:17:00.0"});
}

TEST_CASE("a container's device file is not matched with one of the host's many devices") {
  const std::vector<Accelerator> gpus =
      find_nvidia_gpus(test::recorded_machine("nvidia_container"));
  REQUIRE(gpus.size() == 1);
  CHECK(gpus[0].device_files == Strings{"/dev/nvidia1"});
  CHECK(gpus[0].pci_address.empty());
  CHECK(gpus[0].local_cpulist.empty());
}

TEST_CASE("device files count only with their driver, where modules are shown") {
  const ScratchMachine machine;
  machine.write("/dev/nvidia10");
  machine.write("/dev/nvidia2");
  for (const char* other : {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-modeset",
                            "/dev/nvidia-caps/nvidia-cap1", "/dev/nvidiax"}) {
    machine.write(other);
  }
  // A sandbox without /sys/module: the device files are all there is.
  const std::vector<Accelerator> gpus = find_nvidia_gpus(machine.root());
  REQUIRE(gpus.size() == 2);
  CHECK(gpus[0].device_files == Strings{"/dev/nvidia2"});
  CHECK(gpus[1].device_files == Strings{"/dev/nvidia10"});
  // Left by a driver that is gone.
  machine.write("/sys/module/ext4/.keep");
  CHECK(find_nvidia_gpus(machine.root()).empty());
  machine.write("/sys/module/nvidia/.keep");
  CHECK(find_nvidia_gpus(machine.root()).size() == 2);
}
