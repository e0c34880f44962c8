// A subtarget to ask.
#pragma once
#include "families.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include <memory>
#include <string>

namespace facts {
using namespace llvm;

// One subtarget with a function in it, which many hooks want to see.
struct Machine {
  std::unique_ptr<TargetMachine> TM;
  LLVMContext Ctx;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  const TargetSubtargetInfo *STI = nullptr;
  std::unique_ptr<MachineModuleInfo> MMI;
  MachineFunction *MF = nullptr;
  std::string Label; // how a user would ask for it: triple, processor, features

  bool open(const Variant &V, std::string &Error) {
    Label = V.Triple;
    for (const char *S : {V.CPU, V.Features})
      if (*S)
        Label += std::string(" ") + S;
    Triple TT(V.Triple);
    const Target *T = TargetRegistry::lookupTarget(TT, Error);
    if (!T)
      return false;
    TM.reset(T->createTargetMachine(TT, V.CPU, V.Features, TargetOptions(), std::nullopt));
    if (!TM) {
      Error = std::string(V.Triple) + ": no target machine";
      return false;
    }
    M = std::make_unique<Module>("facts", Ctx);
    M->setTargetTriple(TT);
    M->setDataLayout(TM->createDataLayout());
    MMI = std::make_unique<MachineModuleInfo>(TM.get());
    F = function(CallingConv::C, "f");
    STI = TM->getSubtargetImpl(*F);
    MF = &MMI->getOrCreateMachineFunction(*F);
    return true;
  }
  Function *function(CallingConv::ID CC, const char *Name) {
    auto *Fn = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), false), Function::ExternalLinkage, Name, *M);
    Fn->setCallingConv(CC);
    return Fn;
  }
};

} // namespace facts
