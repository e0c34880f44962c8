// What LLVM says about triples: writes testdata/llvm.txt, a line for each triple
// of standard input. Columns: the triple, its normal form, the numbers of its
// architecture, sub-architecture, vendor, system, environment and format, the
// pointer's width with the answers that are yes, the versions of system and
// environment. Built with
//   c++ -std=c++17 llvm.cpp $(llvm-config-22 --cxxflags --ldflags --libs targetparser support)
#include "llvm/TargetParser/Triple.h"
#include "llvm/Support/VersionTuple.h"
#include <iostream>
#include <string>
using namespace llvm;
static std::string ver(const VersionTuple &v){ return v.getAsString(); }
int main(int argc,char**argv){
  std::string line;
  while(std::getline(std::cin,line)){
    std::string s=line;
    Triple t(s);
    std::string q; auto add=[&](bool b,char c){ if(b) q+=c; };
    add(t.isOSDarwin(),'D'); add(t.isOSWindows(),'W'); add(t.isMusl(),'m'); add(t.isX32(),'x'); add(t.isABIN32(),'n'); add(t.isWindowsMSVCEnvironment(),'v'); add(t.isPPC64ELFv2ABI(),'2'); add(t.isArmMClass(),'T'); add(t.isWatchABI(),'k'); add(t.isLittleEndian(),'l'); add(t.isOSBinFormatELF(),'E');
    std::cout<<line<<"\t"<<Triple::normalize(s)<<"\t"<<(int)t.getArch()<<" "<<(int)t.getSubArch()<<" "<<(int)t.getVendor()<<" "<<(int)t.getOS()<<" "<<(int)t.getEnvironment()<<" "<<(int)t.getObjectFormat()<<"\t"<<t.getArchPointerBitWidth()<<" "<<q<<"\t"<<ver(t.getOSVersion())<<" "<<ver(t.getEnvironmentVersion())<<"\n";
  }
}
