#include "runtime/machine/pci_device.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

TEST_CASE("PCI addresses") {
  for (const char* text : {"0000:17:00.0", "0000:AF:1f.7", "10000:01:00.0", "0001:00:00.0"}) {
    CAPTURE(text);
    CHECK(is_pci_address(text));
  }
  for (const char* text : {"", "17:00.0", "0000:17:00", "0000:17:00.0 ", "bind", "pci0000:16",
                           "0000-17-00.0", "zzzz:17:00.0", "0000:17:00:0"}) {
    CAPTURE(text);
    CHECK_FALSE(is_pci_address(text));
  }
  CHECK(pci_address(0, 0xaf, 0x1f, 7) == "0000:af:1f.7");
  CHECK(pci_address(0x10000, 1, 0, 0) == "10000:01:00.0");
}

TEST_CASE("vendor, driver and virtual functions") {
  const RootDirectory root = test::recorded_machine("nvidia_mig");
  CHECK(pci_vendor(root, "0000:17:00.0") == kVendorNvidia);
  CHECK(pci_vendor(root, "0000:99:00.0") == 0);
  CHECK_FALSE(is_virtual_function(root, "0000:17:00.0"));
  CHECK(is_virtual_function(root, "0000:17:00.4"));
  CHECK(has_pci_device(root, "0000:17:00.4"));
  CHECK_FALSE(has_pci_device(root, "0000:17:00.7"));
  CHECK(pci_devices_of_driver(root, "nvidia") ==
        std::vector<std::string>{"0000:17:00.0", "0000:17:00.4", "0000:17:00.5", "0000:ca:00.0",
                                 "0000:ca:00.4", "0000:ca:00.5"});
}

TEST_CASE("a driver's other files are no devices") {
  const ScratchMachine machine;
  for (const char* name : {"bind", "unbind", "new_id", "module", "0000:17:00.0"}) {
    machine.write(std::string("/sys/bus/pci/drivers/nvidia/") + name);
  }
  CHECK(pci_devices_of_driver(machine.root(), "nvidia") ==
        std::vector<std::string>{"0000:17:00.0"});
}

TEST_CASE("NUMA node and CPUs of a device") {
  const PciLocality locality = pci_locality(test::recorded_machine("nvidia_8gpu"), "0000:88:00.0");
  CHECK(locality.numa_node == 1);
  CHECK(locality.local_cpulist == "32-63,96-127");
}

TEST_CASE("a device without a NUMA node takes that of the nearest bridge that has one") {
  const ScratchMachine machine;
  machine.write("/sys/devices/pci0000:16/numa_node", "9");  // the root complex is no PCI device
  const std::string root_port = "/sys/devices/pci0000:16/0000:16:02.0";
  const std::string bridge = root_port + "/0000:17:00.0";
  const std::string device = bridge + "/0000:18:00.0";
  machine.write(root_port + "/numa_node", "0");
  machine.write(bridge + "/numa_node", "1");
  machine.write(device + "/numa_node", "-1");
  machine.link("/sys/bus/pci/devices/0000:16:02.0", "../../.." + root_port.substr(4));
  machine.link("/sys/bus/pci/devices/0000:17:00.0", "../../.." + bridge.substr(4));
  machine.link("/sys/bus/pci/devices/0000:18:00.0", "../../.." + device.substr(4));
  CHECK(pci_locality(machine.root(), "0000:18:00.0").numa_node == 1);
  machine.write(bridge + "/numa_node", "-1");
  CHECK(pci_locality(machine.root(), "0000:18:00.0").numa_node == 0);
  machine.write(root_port + "/numa_node", "-1");
  CHECK(pci_locality(machine.root(), "0000:18:00.0").numa_node == -1);
}

// Guards against ROCm/rocm-systems#9244: the CPUs were hidden where the node is negative.
TEST_CASE("CPUs may be known where the NUMA node is not") {
  const PciLocality locality =
      pci_locality(test::recorded_machine("nvidia_h200_vm"), "0000:00:06.0");
  CHECK(locality.numa_node == -1);
  CHECK(locality.local_cpulist == "0-15");
}

TEST_CASE("a device that /sys does not show has no locality") {
  const PciLocality locality = pci_locality(test::recorded_machine("bare"), "0000:17:00.0");
  CHECK(locality.numa_node == -1);
  CHECK(locality.local_cpulist.empty());
}
