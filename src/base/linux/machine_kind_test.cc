#include "linux/machine_kind.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using MachineKinds = EmptyMachine;

TEST_F(MachineKinds, AreRecognizedOnRecordedBoards) {
  EXPECT_EQ(ReadMachineKind(Recorded("pi4")), MachineKind::kRaspberryPi);
  EXPECT_EQ(ReadMachineKind(Recorded("jetson-nano")), MachineKind::kJetson);
  EXPECT_EQ(ReadMachineKind(Recorded("jetson-orin")), MachineKind::kJetson);
  EXPECT_EQ(ReadMachineKind(Recorded("x86")), MachineKind::kComputer);
}

TEST_F(MachineKinds, AGuestIsVirtualWhateverItsChassisSays) {
  Put("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  Put("/sys/class/dmi/id/chassis_type", "23\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kVirtual);
}

TEST_F(MachineKinds, TheProcessorRevealsAHypervisorWithoutDmi) {
  Put("/proc/cpuinfo", "processor : 0\nflags : fpu sse hypervisor avx\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kVirtual);
}

TEST_F(MachineKinds, AGuestOnArmIsVirtual) {
  Put("/proc/device-tree/compatible", "linux,dummy-virt");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kVirtual);
}

TEST_F(MachineKinds, ARentedBareMetalMachineIsAServer) {
  Put("/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
  Put("/sys/class/dmi/id/product_name", "c5.metal\n");
  Put("/sys/class/dmi/id/chassis_type", "23\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kServer);
}

TEST_F(MachineKinds, ThirtyTwoBitPisNameTheirBoardInCpuinfo) {
  Put("/proc/cpuinfo",
      "processor : 0\nmodel name : ARMv7 Processor rev 4 (v7l)\n\n"
      "Hardware : BCM2835\nModel : Raspberry Pi 3 Model B Rev 1.2\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kRaspberryPi);
}

TEST_F(MachineKinds, FollowTheChassisType) {
  Put("/sys/class/dmi/id/sys_vendor", "Dell Inc.\n");
  Put("/sys/class/dmi/id/chassis_type", "23\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kServer);
  Put("/sys/class/dmi/id/chassis_type", "10\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kLaptop);
}

TEST_F(MachineKinds, FollowEveryChassisTypeOfServersAndLaptops) {
  auto kind = [&](int type) {
    Put("/sys/class/dmi/id/chassis_type", std::to_string(type) + "\n");
    return ReadMachineKind(root);
  };
  for (int type : {17, 23, 25, 27, 28, 29}) {
    EXPECT_EQ(kind(type), MachineKind::kServer) << type;
  }
  for (int type : {8, 9, 10, 11, 14, 30, 31, 32}) {
    EXPECT_EQ(kind(type), MachineKind::kLaptop) << type;
  }
  for (int type : {0, 3, 7, 12, 13, 15, 16, 18, 24, 26, 33}) {
    EXPECT_EQ(kind(type), MachineKind::kComputer) << type;
  }
}

TEST_F(MachineKinds, TheFirstDomainOfXenIsTheMachineItself) {
  Put("/sys/hypervisor/type", "xen\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kVirtual);
  Put("/proc/xen/capabilities", "control_d\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kComputer);
}

TEST_F(MachineKinds, ADeviceTreeMayNameAHypervisor) {
  Put("/proc/device-tree/hypervisor/compatible", "xen,xen");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kVirtual);
}

TEST_F(MachineKinds, AnyPartOfTheFirmwareMayNameAHypervisor) {
  for (const char* file : {"sys_vendor", "product_name", "bios_vendor"}) {
    const std::string path = std::string("/sys/class/dmi/id/") + file;
    Put(path, "VMware, Inc.\n");
    EXPECT_EQ(ReadMachineKind(root), MachineKind::kVirtual) << file;
    Put(path, "Maker\n");
    EXPECT_EQ(ReadMachineKind(root), MachineKind::kComputer) << file;
  }
}

TEST_F(MachineKinds, OtherBoardsInCpuinfoAreComputers) {
  Put("/proc/cpuinfo", "Model : Orange Pi 5\n");
  EXPECT_EQ(ReadMachineKind(root), MachineKind::kComputer);
}

}  // namespace
}  // namespace mete
