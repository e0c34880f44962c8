// Reads one family's tables through LLVM's API and lays them out as sections.
#include "extract.h"
#include "machine.h"
#include "sched.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGenTypes/MachineValueType.h"
#include "llvm/CodeGen/RegisterBank.h"
#include "llvm/CodeGen/RegisterBankInfo.h"
#include "llvm/CodeGen/TargetFrameLowering.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include <array>

using namespace llvm;

namespace facts {
namespace {

// Opens a protected member: some classes have a spill alignment of 0, which
// getSpillAlign cannot return.
struct ClassInfoPeek : TargetRegisterInfo {
  static const RegClassInfo &get(const TargetRegisterInfo &RI, const TargetRegisterClass &RC) {
    return (RI.*(&ClassInfoPeek::getRegClassInfo))(RC);
  }
};

// Everything that is collected before it is written.
struct Extractor {
  const Family &Fam;
  std::vector<std::unique_ptr<Machine>> Ms;
  File Out;
  Names Nm;
  Pool<uint16_t> Implicit, RegLists, SubIdx, Types;
  Pool<int16_t> Diffs;
  Pool<uint64_t> LaneLists, FeatureSets;
  Pool<uint32_t> ClassBits, RegSets;
  std::vector<uint16_t> ModeClasses; // operands' RegClass values that depend on the mode
  std::vector<const uint32_t *> Masks;
  std::string Error;

  const TargetInstrInfo *TII;
  const TargetRegisterInfo *TRI;
  unsigned NumClasses = 0, NumIdx = 0;

  explicit Extractor(const Family &F) : Fam(F) {}

  bool run() {
    for (const Variant &V : Fam.Variants) {
      Ms.push_back(std::make_unique<Machine>());
      if (!Ms.back()->open(V, Error))
        return false;
    }
    TII = Ms[0]->STI->getInstrInfo();
    TRI = Ms[0]->STI->getRegisterInfo();
    NumClasses = TRI->getNumRegClasses();
    NumIdx = TRI->getNumSubRegIndices();
    instrs();
    regs();
    subRegs();
    classes();
    modes();
    banks();
    masks();
    dwarf();
    saved();
    variants();
    pressure();
    folds();
    commutes();
    traits();
    flags();
    features();
    pools();
    return true;
  }

  void instrs() {
    unsigned N = TII->getNumOpcodes();
    Buf B, Ops;
    B.u32(N);
    std::map<uint64_t, unsigned> Fl;
    std::vector<uint64_t> FlList;
    std::map<std::vector<uint64_t>, unsigned> OpLists;
    std::vector<uint64_t> OpRows;
    std::vector<std::string> Keys;
    auto Dict = [](std::map<uint64_t, unsigned> &M, std::vector<uint64_t> &L, uint64_t V) {
      auto [It, New] = M.try_emplace(V, L.size());
      if (New)
        L.push_back(V);
      return It->second;
    };
    Buf Len, FC, TC, OC, IC, SC, NO, ND, SZ, NU, NI;
    uint16_t MaxMode = 0;
    bool AnyMode = false;
    for (unsigned Op = 0; Op < N; ++Op) {
      const MCInstrDesc &D = TII->get(Op);
      Keys.push_back(TII->getName(Op).str());
      Len.u8(Nm.append(Keys.back()));
      FC.u16(Dict(Fl, FlList, D.Flags));
      TC.u64(D.TSFlags);
      std::vector<uint64_t> Row;
      for (unsigned I = 0; I < D.getNumOperands(); ++I) {
        const MCOperandInfo &O = D.operands()[I];
        int Tied = D.getOperandConstraint(I, MCOI::TIED_TO);
        bool EC = D.getOperandConstraint(I, MCOI::EARLY_CLOBBER) != -1;
        Row.push_back(uint64_t(uint16_t(O.RegClass)) | uint64_t(O.Flags) << 16 | uint64_t(O.OperandType) << 24 |
                      uint64_t(uint8_t(Tied)) << 32 | uint64_t(EC) << 40);
        if (O.isLookupRegClassByHwMode()) {
          AnyMode = true;
          MaxMode = std::max<uint16_t>(MaxMode, O.RegClass);
        }
      }
      unsigned At = 0;
      if (!Row.empty()) {
        auto [It, New] = OpLists.try_emplace(Row, OpRows.size());
        if (New)
          OpRows.insert(OpRows.end(), Row.begin(), Row.end());
        At = It->second;
      }
      OC.u16(At);
      std::vector<uint16_t> Imp;
      for (MCPhysReg R : D.implicit_uses())
        Imp.push_back(R);
      for (MCPhysReg R : D.implicit_defs())
        Imp.push_back(R);
      IC.u16(Implicit.add(Imp));
      SC.u16(D.SchedClass);
      NO.u16(D.NumOperands);
      ND.u8(D.NumDefs);
      SZ.u8(D.Size);
      NU.u8(D.implicit_uses().size());
      NI.u8(D.implicit_defs().size());
    }
    NumModeClasses = AnyMode ? MaxMode + 1 : 0;
    B.array(FlList);
    for (Buf *C : {&Len, &FC, &TC, &OC, &IC, &SC, &NO, &ND, &SZ, &NU, &NI})
      B.B.insert(B.B.end(), C->B.begin(), C->B.end());
    Out.add(SecInstrs, std::move(B));
    Ops.u32(OpRows.size());
    for (uint64_t R : OpRows)
      Ops.put(uint16_t(R));
    for (unsigned Shift : {16, 24, 32, 40})
      for (uint64_t R : OpRows)
        Ops.put(uint8_t(R >> Shift));
    Out.add(SecOpInfos, std::move(Ops));
    Buf H;
    H.array(hashTable(Keys));
    Out.add(SecOpcodeHash, std::move(H));
  }
  unsigned NumModeClasses = 0;

  void regs() {
    unsigned N = TRI->getNumRegs();
    Buf B;
    B.u32(N);
    B.u32(Nm.Blob.size()); // names lie in row order from here
    Buf Len, SR, SI, SU, UN, UL, NSR, NSU, NU, FU, EN, CO, FL;
    std::vector<std::string> Keys;
    ArrayRef<uint8_t> Costs = TRI->getRegisterCosts(*Ms[0]->MF);
    for (unsigned R = 0; R < N; ++R) {
      StringRef Name = TRI->getName(R);
      Keys.push_back(R ? Name.lower() : "noreg");
      Len.u16(Nm.append(Name));
      std::vector<int16_t> Subs, Sups, Units;
      std::vector<uint16_t> Idx;
      std::vector<uint64_t> Lanes;
      unsigned First = 0;
      if (R) {
        for (MCSubRegIndexIterator I(R, TRI); I.isValid(); ++I) {
          Subs.push_back(int(I.getSubReg().id()) - int(R));
          Idx.push_back(I.getSubRegIndex());
        }
        for (MCPhysReg S : TRI->superregs(R))
          Sups.push_back(int(S) - int(R));
        bool FirstUnit = true;
        for (MCRegUnitMaskIterator I(R, TRI); I.isValid(); ++I) {
          auto [U, L] = *I;
          unsigned Num = static_cast<unsigned>(U);
          if (FirstUnit)
            First = Num;
          FirstUnit = false;
          Units.push_back(int(Num) - int(First));
          Lanes.push_back(L.getAsInteger());
        }
      }
      SR.u32(Diffs.add(Subs));
      SI.u32(SubIdx.add(Idx));
      SU.u32(Diffs.add(Sups));
      UN.u32(Diffs.add(Units));
      UL.u32(LaneLists.add(Lanes));
      NSR.u16(Subs.size());
      NSU.u16(Sups.size());
      NU.u16(Units.size());
      FU.u16(First);
      EN.u16(TRI->getEncodingValue(R));
      CO.u8(Costs[R]);
      FL.u8((R && TRI->isConstant(R) ? 1 : 0) | (R && TRI->isArtificial(R) ? 2 : 0) |
            (R && TRI->isInAllocatableClass(R) ? 4 : 0));
    }
    for (Buf *C : {&Len, &SR, &SI, &SU, &UN, &UL, &NSR, &NSU, &NU, &FU, &EN, &CO, &FL})
      B.B.insert(B.B.end(), C->B.begin(), C->B.end());
    Out.add(SecRegs, std::move(B));
    Buf U;
    U.u32(TRI->getNumRegUnits());
    for (MCRegUnit Unit : TRI->regunits()) {
      unsigned Roots[2] = {0, 0}, I = 0;
      for (MCRegUnitRootIterator RI(Unit, TRI); RI.isValid() && I < 2; ++RI)
        Roots[I++] = *RI;
      U.u16(Roots[0]);
      U.u16(Roots[1]);
    }
    Out.add(SecUnits, std::move(U));
    Buf H;
    H.array(hashTable(Keys));
    Out.add(SecRegHash, std::move(H));
  }

  void subRegs() {
    Buf B, C, L, S;
    B.u32(NumIdx);
    C.u32(NumIdx * NumIdx);
    std::vector<uint32_t> Start{0};
    std::vector<std::pair<uint64_t, uint8_t>> Ops;
    for (unsigned I = 0; I < NumIdx; ++I) {
      B.u64(I ? TRI->getSubRegIndexLaneMask(I).getAsInteger() : ~uint64_t(0));
      B.u32(I ? Nm.add(TRI->getSubRegIndexName(I)) : 0);
      B.u16(I ? uint16_t(TRI->getSubRegIdxOffset(I)) : 0);
      B.u16(I ? uint16_t(TRI->getSubRegIdxSize(I)) : 0xffff);
      for (unsigned J = 0; J < NumIdx; ++J)
        C.u16(TRI->composeSubRegIndices(I, J));
      // The composition distributes over lanes, so single lanes tell it all.
      uint64_t ByRot[64] = {};
      for (unsigned Bit = 0; I && Bit < 64; ++Bit) {
        uint64_t To = TRI->composeSubRegIndexLaneMask(I, LaneBitmask(uint64_t(1) << Bit)).getAsInteger();
        for (unsigned K = 0; K < 64; ++K)
          if (To >> K & 1)
            ByRot[(K - Bit) & 63] |= uint64_t(1) << Bit;
      }
      for (unsigned R = 0; R < 64; ++R)
        if (ByRot[R])
          Ops.push_back({ByRot[R], R});
      Start.push_back(Ops.size());
    }
    L.u32(Ops.size());
    for (auto &O : Ops)
      L.u64(O.first);
    for (auto &O : Ops)
      L.u8(O.second);
    S.array(Start);
    Out.add(SecSubRegs, std::move(B));
    Out.add(SecCompose, std::move(C));
    Out.add(SecLaneOps, std::move(L));
    Out.add(SecLaneOpStart, std::move(S));
  }

  std::vector<uint32_t> words(const uint32_t *Mask, unsigned Bits) {
    return std::vector<uint32_t>(Mask, Mask + (Bits + 31) / 32);
  }

  void classes() {
    Buf B, Sub, With;
    B.u32(NumClasses);
    Sub.u32(NumClasses * ((NumClasses + 31) / 32));
    With.u32(NumClasses * NumIdx);
    for (const TargetRegisterClass *RC : TRI->regclasses()) {
      std::vector<uint16_t> Mem(RC->begin(), RC->end());
      ArrayRef<MCPhysReg> Ord = RC->getRawAllocationOrder(*Ms[0]->MF);
      std::vector<uint16_t> Order(Ord.begin(), Ord.end()), Idx;
      std::vector<uint32_t> SuperMasks;
      for (SuperRegClassIterator I(RC, TRI); I.isValid(); ++I) {
        Idx.push_back(I.getSubReg());
        auto W = words(I.getMask(), NumClasses);
        SuperMasks.insert(SuperMasks.end(), W.begin(), W.end());
      }
      B.u64(RC->getLaneMask().getAsInteger());
      B.u32(Nm.add(TRI->getRegClassName(RC)));
      B.u32(RegLists.add(Mem));
      B.u32(RegLists.add(Order));
      B.u32(SubIdx.add(Idx));
      B.u32(ClassBits.add(SuperMasks));
      B.u16(Mem.size());
      B.u16(Order.size());
      B.u16(Idx.size());
      B.u16(RC->MC->getSizeInBits());
      B.u8(RC->getCopyCost());
      B.u8(RC->AllocationPriority);
      B.u8(RC->TSFlags);
      B.u8((RC->isAllocatable() ? 1 : 0) | (RC->isBaseClass() ? 2 : 0) | (RC->GlobalPriority ? 4 : 0) |
           (RC->HasDisjunctSubRegs ? 8 : 0) | (RC->CoveredBySubRegs ? 16 : 0));
      for (uint32_t W : words(RC->getSubClassMask(), NumClasses))
        Sub.u32(W);
      for (unsigned I = 0; I < NumIdx; ++I) {
        const TargetRegisterClass *W = I ? TRI->getSubClassWithSubReg(RC, I) : RC;
        With.i16(W ? int(W->getID()) : -1);
      }
    }
    Out.add(SecClasses, std::move(B));
    Out.add(SecSubClasses, std::move(Sub));
    Out.add(SecSubClassIdx, std::move(With));
  }

  // The tables that depend on the hardware mode, for each mode that a variant
  // has; modes that no variant shows repeat mode 0 and have no name.
  void modes() {
    std::vector<Machine *> By;
    for (auto &M : Ms) {
      unsigned Mode = M->STI->getHwMode(MCSubtargetInfo::HwMode_RegInfo);
      if (By.size() <= Mode)
        By.resize(Mode + 1);
      if (!By[Mode])
        By[Mode] = M.get();
    }
    Buf Nms, Sizes, CM;
    Nms.u32(By.size());
    Sizes.u32(By.size() * NumClasses);
    CM.u32(By.size() * NumModeClasses);
    for (Machine *M : By) {
      Nms.u32(M ? Nm.add(M->Label) : 0);
      if (!M)
        M = Ms[0].get();
      const TargetRegisterInfo *RI = M->STI->getRegisterInfo();
      const TargetInstrInfo *II = M->STI->getInstrInfo();
      for (const TargetRegisterClass *RC : RI->regclasses()) {
        std::vector<uint16_t> VTs;
        for (auto I = RI->legalclasstypes_begin(*RC); *I != MVT::Other; ++I)
          VTs.push_back(*I);
        Sizes.u32(Types.add(VTs));
        const auto &CI = ClassInfoPeek::get(*RI, *RC);
        Sizes.u16(CI.RegSize);
        Sizes.u16(CI.SpillSize / 8);
        Sizes.u16(CI.SpillAlignment / 8);
        Sizes.u16(VTs.size());
      }
      std::vector<int16_t> Row(NumModeClasses, -1);
      for (unsigned Op = 0; Op < II->getNumOpcodes() && NumModeClasses; ++Op)
        for (const MCOperandInfo &O : II->get(Op).operands())
          if (O.isLookupRegClassByHwMode())
            Row[O.RegClass] = II->getOpRegClassID(O);
      for (int16_t C : Row)
        CM.i16(C);
    }
    Out.add(SecModes, std::move(Nms));
    Out.add(SecClassSizes, std::move(Sizes));
    Out.add(SecClassByMode, std::move(CM));
  }

  void banks() {
    Buf B;
    const RegisterBankInfo *RBI = Ms[0]->STI->getRegBankInfo();
    unsigned N = RBI ? RBI->getNumRegBanks() : 0;
    B.u32(N);
    for (unsigned I = 0; I < N; ++I) {
      const RegisterBank &K = RBI->getRegBank(I);
      std::vector<uint32_t> Cover((NumClasses + 31) / 32);
      for (const TargetRegisterClass *RC : TRI->regclasses())
        if (K.covers(*RC))
          Cover[RC->getID() / 32] |= 1u << RC->getID() % 32;
      B.u32(Nm.add(K.getName()));
      B.u32(ClassBits.add(Cover));
      B.u32(RBI->getMaximumSize(I));
    }
    Out.add(SecBanks, std::move(B));
  }

  void masks() {
    Buf B;
    ArrayRef<const char *> Ns = TRI->getRegMaskNames();
    ArrayRef<const uint32_t *> Ps = TRI->getRegMasks();
    Masks.assign(Ps.begin(), Ps.end());
    B.u32(Ns.size());
    for (unsigned I = 0; I < Ns.size(); ++I) {
      B.u32(Nm.add(Ns[I]));
      B.u32(RegSets.add(words(Ps[I], TRI->getNumRegs())));
    }
    Out.add(SecRegMasks, std::move(B));
  }

  void dwarf() {
    Buf B;
    std::vector<std::vector<int16_t>> Rows;
    std::vector<uint32_t> Triples;
    for (auto &M : Ms) {
      const MCRegisterInfo *RI = M->STI->getRegisterInfo();
      std::vector<int16_t> Row;
      for (unsigned R = 0; R < RI->getNumRegs(); ++R)
        for (bool EH : {false, true}) {
          int64_t D = R ? RI->MCRegisterInfo::getDwarfRegNum(R, EH) : -1;
          Row.push_back(D < 0 || D > 32767 ? -1 : int16_t(D));
        }
      if (llvm::is_contained(Rows, Row))
        continue;
      Rows.push_back(Row);
      Triples.push_back(Nm.add(M->TM->getTargetTriple().str()));
    }
    B.u32(Rows.size());
    for (size_t I = 0; I < Rows.size(); ++I) {
      B.u32(Triples[I]);
      B.array(Rows[I]);
    }
    Out.add(SecDwarf, std::move(B));
  }

  // Callee-saved lists per calling convention; X86 alone, whose hooks answer
  // for any function without further state.
  void saved() {
    Buf B;
    std::vector<uint8_t> Rows;
    unsigned N = 0;
    if (StringRef(Fam.Name) == "X86") {
      for (const char *TT : {"x86_64-unknown-linux-gnu", "i386-unknown-linux-gnu", "x86_64-pc-windows-msvc"})
        for (const char *Feat : {"", "+avx", "+avx512f"}) {
          Machine M;
          std::string E;
          if (!M.open({TT, "", Feat}, E))
            report_fatal_error(StringRef(E));
          const TargetRegisterInfo *RI = M.STI->getRegisterInfo();
          for (unsigned CC : {CallingConv::C, CallingConv::Fast, CallingConv::Cold, CallingConv::GHC,
                              CallingConv::HiPE, CallingConv::AnyReg, CallingConv::PreserveMost,
                              CallingConv::PreserveAll, CallingConv::PreserveNone, CallingConv::Swift,
                              CallingConv::SwiftTail, CallingConv::CXX_FAST_TLS, CallingConv::Tail,
                              CallingConv::X86_StdCall, CallingConv::X86_FastCall, CallingConv::X86_ThisCall,
                              CallingConv::X86_VectorCall, CallingConv::X86_RegCall, CallingConv::X86_64_SysV,
                              CallingConv::Win64, CallingConv::Intel_OCL_BI, CallingConv::X86_INTR}) {
            Function *F = M.function(CC, "g");
            MachineFunction &MF = M.MMI->getOrCreateMachineFunction(*F);
            std::vector<uint16_t> Regs;
            for (const MCPhysReg *R = RI->getCalleeSavedRegs(&MF); R && *R; ++R)
              Regs.push_back(*R);
            const uint32_t *Mask = RI->getCallPreservedMask(MF, CC);
            auto It = llvm::find(Masks, Mask);
            Buf Row;
            Row.u32(Nm.add(TT));
            Row.u32(Nm.add(Feat));
            Row.u16(CC);
            Row.u16(Regs.size());
            Row.i16(Mask && It != Masks.end() ? int(It - Masks.begin()) : -1);
            Row.u32(RegLists.add(Regs));
            Rows.insert(Rows.end(), Row.B.begin(), Row.B.end());
            ++N;
          }
        }
    }
    B.u32(N);
    B.B.insert(B.B.end(), Rows.begin(), Rows.end());
    Out.add(SecSaved, std::move(B));
  }

  // What differs between subtargets and is asked of a plain C function in each.
  void variants() {
    Buf B;
    B.u32(Ms.size());
    for (size_t I = 0; I < Ms.size(); ++I) {
      Machine &M = *Ms[I];
      const Variant &V = Fam.Variants[I];
      const TargetInstrInfo *II = M.STI->getInstrInfo();
      const TargetRegisterInfo *RI = M.STI->getRegisterInfo();
      const TargetFrameLowering *FL = M.STI->getFrameLowering();
      std::vector<uint32_t> Reserved((RI->getNumRegs() + 31) / 32);
      BitVector RS = RI->getReservedRegs(*M.MF);
      for (unsigned R : RS.set_bits())
        Reserved[R / 32] |= 1u << R % 32;
      std::vector<uint16_t> Saved;
      for (const MCPhysReg *R = RI->getCalleeSavedRegs(M.MF); R && *R; ++R)
        Saved.push_back(*R);
      auto Opc = [](unsigned Op) { return Op == ~0u ? 0 : Op; };
      B.u32(Nm.add(V.Triple));
      B.u32(Nm.add(V.CPU));
      B.u32(Nm.add(V.Features));
      B.u32(Nm.add(M.M->getDataLayoutStr()));
      B.u32(RegSets.add(Reserved));
      B.u32(RegLists.add(Saved));
      B.u16(Saved.size());
      const uint32_t *Mask = RI->getCallPreservedMask(*M.MF, CallingConv::C);
      auto It = llvm::find(Masks, Mask);
      B.i16(Mask && It != Masks.end() ? int(It - Masks.begin()) : -1);
      B.u16(M.STI->getHwMode(MCSubtargetInfo::HwMode_RegInfo));
      B.u16(Opc(II->getCallFrameSetupOpcode()));
      B.u16(Opc(II->getCallFrameDestroyOpcode()));
      B.u16(Opc(II->getReturnOpcode()));
      B.u16(Opc(II->getCatchReturnOpcode()));
      B.u16(FL ? FL->getStackAlign().value() : 0);
      B.i16(FL ? FL->getOffsetOfLocalArea() : 0);
      B.u8(FL && FL->getStackGrowthDirection() == TargetFrameLowering::StackGrowsUp);
      B.u8(M.TM->getPointerSize(0));
      const TargetLowering *TL = M.STI->getTargetLowering();
      B.u16(TL ? TL->getStackPointerRegisterToSaveRestore().id() : 0);
    }
    Out.add(SecVariants, std::move(B));
  }

  void pressure() {
    Buf B;
    unsigned N = TRI->getNumRegPressureSets();
    B.u32(N);
    for (unsigned I = 0; I < N; ++I) {
      B.u32(Nm.add(TRI->getRegPressureSetName(I)));
      B.u32(TRI->getRegPressureSetLimit(*Ms[0]->MF, I));
    }
    Pool<uint16_t> Lists;
    auto List = [&](const int *P) {
      std::vector<uint16_t> L;
      for (; P && *P >= 0; ++P)
        L.push_back(*P);
      B.u32(Lists.add(L));
      B.u16(L.size());
    };
    B.u32(NumClasses);
    for (const TargetRegisterClass *RC : TRI->regclasses()) {
      List(TRI->getRegClassPressureSets(RC));
      B.u16(TRI->getRegClassWeight(RC).RegWeight);
      B.u16(TRI->getRegClassWeight(RC).WeightLimit);
    }
    B.u32(TRI->getNumRegUnits());
    for (MCRegUnit U : TRI->regunits()) {
      List(TRI->getRegUnitPressureSets(U));
      B.u16(TRI->getRegUnitWeight(U));
    }
    B.array(Lists.Data);
    Out.add(SecPressure, std::move(B));
  }

  // Which memory form an opcode takes when an operand is folded into memory:
  // unfolding the memory forms tells it in reverse, and where a target does that,
  // folding registers of every opcode into a stack slot tells the rest.
  enum { FoldLoad = 1, FoldStore = 2, FoldOnlyUnfold = 4, FoldOnlyFold = 8, FoldAlignShift = 4 };
  void folds() {
    std::map<std::array<unsigned, 3>, unsigned> Rows; // register form, operand, memory form
    for (unsigned Op = 0; Op < TII->getNumOpcodes(); ++Op) {
      unsigned Idx = 0;
      unsigned L = TII->getOpcodeAfterMemoryUnfold(Op, true, false, &Idx);
      unsigned S = TII->getOpcodeAfterMemoryUnfold(Op, false, true, &Idx);
      if (unsigned R = L ? L : S)
        Rows[{R, Idx, Op}] = (L ? FoldLoad : 0) | (S ? FoldStore : 0) | FoldOnlyUnfold;
    }
    if (!Rows.empty())
      for (unsigned Op = TargetOpcode::GENERIC_OP_END + 1; Op < TII->getNumOpcodes(); ++Op)
        foldsOf(Op, Rows);
    Buf B;
    B.u32(Rows.size());
    for (auto &[K, Flags] : Rows) {
      B.u16(K[0]);
      B.u16(K[2]);
      B.u8(K[1]);
      B.u8(Flags);
    }
    Out.add(SecFolds, std::move(B));
  }

  void foldsOf(unsigned Op, std::map<std::array<unsigned, 3>, unsigned> &Rows) {
    const MCInstrDesc &D = TII->get(Op);
    // Moves are loads and stores, and constants stores of immediates; neither needs a table.
    if (D.usesCustomInsertionHook() || D.isVariadic() || D.isMoveReg() || D.getNumOperands() == (D.isPseudo() ? 1 : 0))
      return;
    for (const MCOperandInfo &I : D.operands())
      if (I.OperandType == MCOI::OPERAND_MEMORY || I.OperandType == MCOI::OPERAND_PCREL ||
          (TII->getOpRegClassID(I) >= 0 && !TRI->getRegClass(TII->getOpRegClassID(I))->isAllocatable()))
        return;
    for (unsigned K = 0; K < std::min(5u, unsigned(D.getNumOperands())); ++K) {
      if (TII->getOpRegClassID(D.operands()[K]) < 0)
        continue;
      bool Tied = D.getNumOperands() > 1 && D.getOperandConstraint(1, MCOI::TIED_TO) == 0;
      if (K == 1 && Tied)
        continue; // folds with operand 0
      unsigned Flags = K >= D.getNumDefs() ? FoldLoad : K == 0 && Tied ? FoldLoad | FoldStore : FoldStore;
      unsigned LogAlign = 6, Mem = foldInto(D, K, K == 0 && Tied, LogAlign);
      if (!Mem)
        continue;
      for (unsigned Less : {5, 4, 0}) // the least alignment with which it is that
        if (foldInto(D, K, K == 0 && Tied, Less) == Mem)
          LogAlign = Less;
        else
          break;
      std::array<unsigned, 3> Key{Op, K, Mem};
      bool Known = Rows.count(Key);
      Rows[Key] = Flags | LogAlign << FoldAlignShift | (Known ? 0 : FoldOnlyFold);
    }
  }

  // The opcode that an instruction is with operand K (and 1, for a tied pair) in a
  // stack slot, 0 when there is none or other operands change with it.
  unsigned foldInto(const MCInstrDesc &D, unsigned K, bool Pair, unsigned LogAlign) {
    MachineFunction &MF = *Ms[0]->MF;
    // Folding that may be slow is done for size.
    Ms[0]->F->addFnAttr(Attribute::OptimizeForSize);
    MachineRegisterInfo &MRI = MF.getRegInfo();
    MachineBasicBlock *MBB = MF.CreateMachineBasicBlock();
    MF.push_back(MBB);
    MachineInstrBuilder MI = BuildMI(*MBB, MBB->end(), DebugLoc(), D);
    const TargetRegisterClass *RC = nullptr;
    Register First;
    for (unsigned I = 0; I < D.getNumOperands(); ++I) {
      int Class = TII->getOpRegClassID(D.operands()[I]);
      if (Class < 0) {
        // Not 0, which hides that an immediate changes (the element of INSERTPS).
        MI.addImm(0x40);
        continue;
      }
      const TargetRegisterClass *C = TRI->getRegClass(Class);
      Register R = I == 1 && Pair ? First : MRI.createVirtualRegister(C);
      if (I == 0)
        First = R;
      if (I == K)
        RC = C;
      MI.addReg(R, getDefRegState(I < D.getNumDefs()));
    }
    int FI = MF.getFrameInfo().CreateStackObject(TRI->getRegSizeInBits(*RC) / 8, Align(uint64_t(1) << LogAlign), true);
    unsigned Mem = 0;
    if (MachineInstr *N = TII->foldMemoryOperand(*MI, {K}, FI)) {
      // The same operands must stand around the address.
      SmallVector<const MachineOperand *, 8> Was, Is;
      for (unsigned I = 0; I < MI->getNumExplicitOperands(); ++I)
        if (I != K && !(Pair && I == 1))
          Was.push_back(&MI->getOperand(I));
      unsigned Len = N->getNumExplicitOperands() - Was.size();
      for (unsigned I = 0; I < N->getNumExplicitOperands(); ++I)
        if (I < K || I >= K + Len)
          Is.push_back(&N->getOperand(I));
      bool Same = N->getNumExplicitOperands() > Was.size() && N->getOperand(K).isFI() && Is.size() == Was.size();
      for (unsigned I = 1; Same && I < Len; ++I) // no displacement
        Same = !N->getOperand(K + I).isImm() || N->getOperand(K + I).getImm() < 2;
      for (unsigned I = 0; Same && I < Is.size(); ++I)
        Same = Is[I]->isIdenticalTo(*Was[I]);
      if (Same)
        Mem = N->getOpcode();
    }
    MF.getFrameInfo().RemoveStackObject(FI);
    MF.erase(MBB);
    return Mem;
  }

  // An instruction with a fresh register for every register operand; addresses are
  // of nothing. Imm is the immediate operand that varies, -1 when there is none.
  MachineInstr *sample(MachineFunction &MF, unsigned Op, int64_t Value, int *Imm = nullptr) {
    const MCInstrDesc &D = TII->get(Op);
    MachineRegisterInfo &MRI = MF.getRegInfo();
    MachineBasicBlock *MBB = MF.CreateMachineBasicBlock();
    MF.push_back(MBB);
    MachineInstrBuilder MI = BuildMI(*MBB, MBB->end(), DebugLoc(), D);
    int Last = -1;
    for (unsigned I = 0; I < D.getNumOperands(); ++I)
      if (TII->getOpRegClassID(D.operands()[I]) < 0 && D.operands()[I].OperandType != MCOI::OPERAND_MEMORY)
        Last = I;
    for (unsigned I = 0; I < D.getNumOperands(); ++I) {
      int Class = TII->getOpRegClassID(D.operands()[I]);
      bool Mem = D.operands()[I].OperandType == MCOI::OPERAND_MEMORY;
      if (Class < 0)
        MI.addImm(int(I) == Last ? Value : Mem);
      else
        MI.addReg(Mem ? Register() : MRI.createVirtualRegister(TRI->getRegClass(Class)), getDefRegState(I < D.getNumDefs()));
    }
    if (Imm)
      *Imm = Last;
    return MI;
  }

  // What an instruction becomes when two of its operands are exchanged: another
  // opcode perhaps, and another immediate, whose every value is asked about. What
  // becomes an instruction of other operands is left out.
  static constexpr int16_t NoImm = INT16_MIN;
  void commutes() {
    Buf B, MB;
    std::map<std::vector<int16_t>, unsigned> Maps;
    std::vector<int16_t> Same(256);
    for (int I = 0; I < 256; ++I)
      Same[I] = I;
    Maps[Same] = 0;
    std::vector<std::vector<int16_t>> MapList{Same};
    struct Row {
      unsigned Op, To, A, C, Imm, Map;
    };
    std::vector<Row> Rows;
    MachineFunction &MF = *Ms[0]->MF;
    for (unsigned Op = TargetOpcode::GENERIC_OP_END + 1; Fam.Name == StringRef("X86") && Op < TII->getNumOpcodes(); ++Op) {
      const MCInstrDesc &D = TII->get(Op);
      if (!D.isCommutable())
        continue;
      size_t First = Rows.size();
      for (unsigned C = D.getNumOperands(); C-- > D.getNumDefs();)
        for (unsigned A = C; A-- > D.getNumDefs();) {
          if (TII->getOpRegClassID(D.operands()[A]) < 0 || TII->getOpRegClassID(D.operands()[C]) < 0)
            continue;
          unsigned To = 0;
          int Imm = -1;
          std::vector<int16_t> Map(256, NoImm);
          for (int V = 0; V < 256; ++V) {
            MachineInstr *MI = sample(MF, Op, V, &Imm);
            // Conditions are no larger; most opcodes have no immediate.
            bool Ask = Imm < 0 ? V == 0 : D.operands()[Imm].OperandType <= MCOI::OPERAND_FIRST_TARGET || V < 16;
            unsigned X = A, Y = C;
            if (Ask && TII->findCommutedOpIndices(*MI, X, Y) && X == A && Y == C)
              if (SmallVector<MachineOperand, 8> Was(MI->explicit_operands()); TII->commuteInstruction(*MI, false, A, C)) {
                bool Plain = MI->getNumExplicitOperands() == Was.size();
                for (unsigned K = 0; Plain && K < D.getNumOperands(); ++K)
                  Plain = int(K) == Imm || MI->getOperand(K).isIdenticalTo(Was[K == A ? C : K == C ? A : K]);
                if (Plain && (!To || To == MI->getOpcode())) {
                  To = MI->getOpcode();
                  Map[V] = Imm < 0 ? 0 : int16_t(MI->getOperand(Imm).getImm());
                } else if (Plain)
                  errs() << TII->getName(Op) << " commutes to several opcodes\n";
              }
            MF.erase(MI->getParent());
            if (Imm < 0)
              break;
          }
          if (!To)
            continue;
          if (Imm < 0)
            Map = Same;
          // LLVM shifts a pair of registers by what is missing to a whole one, and where
          // it does not know an opcode, by the same. Whole registers, of whose count the
          // machine sees nothing, would be the other register.
          if (TII->getName(Op).starts_with("SHLD") || TII->getName(Op).starts_with("SHRD")) {
            if (Imm < 0 || To == Op)
              continue;
            int Width = Map[1] + 1;
            for (int V = 0; V < 256; ++V)
              if (V == 0 || V >= Width)
                Map[V] = NoImm;
          }
          auto [It, New] = Maps.try_emplace(Map, MapList.size());
          if (New)
            MapList.push_back(Map);
          Rows.push_back({Op, To, A, C, unsigned(Imm < 0 ? 0 : Imm), It->second});
        }
      // Who asks for any operand gets the first row that fits.
      for (unsigned K = 0; K <= D.getNumOperands(); ++K) {
        unsigned X = K < D.getNumOperands() ? K : TargetInstrInfo::CommuteAnyOperandIndex, Y = TargetInstrInfo::CommuteAnyOperandIndex;
        const Row *Fit = nullptr;
        for (size_t R = First; !Fit && R < Rows.size(); ++R)
          if (X == Y || Rows[R].A == X || Rows[R].C == X)
            Fit = &Rows[R];
        MachineInstr *MI = sample(MF, Op, 0);
        if (Fit && TII->findCommutedOpIndices(*MI, X, Y) && !(std::min(X, Y) == Fit->A && std::max(X, Y) == Fit->C))
          errs() << TII->getName(Op) << " operand " << K << " commutes with another one first\n";
        MF.erase(MI->getParent());
      }
    }
    B.u32(Rows.size());
    for (const Row &R : Rows) {
      B.u16(R.Op);
      B.u16(R.To);
      B.u8(R.A);
      B.u8(R.C);
      B.u8(R.Imm);
      B.u8(R.Map);
    }
    MB.u32(256 * MapList.size());
    for (const auto &M : MapList)
      for (int16_t V : M)
        MB.u16(uint16_t(V));
    if (MapList.size() > 255)
      report_fatal_error("too many ways for immediates to change");
    Out.add(SecCommutes, std::move(B));
    Out.add(SecCommuteMaps, std::move(MB));
  }

  // What TargetInstrInfo says of opcodes beside their descriptions.
  enum { Associative = 1, AssociativeIfFree = 2, HighLatency = 4, PartialUpdate = 8, PartialFold = 16, UndefFold = 32 };
  void traits() {
    Buf B, RB;
    std::map<std::array<unsigned, 4>, unsigned> Kinds; // flags, undef operands, scalar loads, feature
    std::vector<std::array<unsigned, 4>> List;
    std::vector<uint8_t> Of;
    bool X86 = Fam.Name == StringRef("X86");
    // Dependencies that only some processors have, each by a feature.
    std::vector<std::pair<unsigned, std::unique_ptr<Machine>>> Tuned;
    const MCSubtargetInfo *MSTI = Ms[0]->TM->getMCSubtargetInfo();
    if (X86) {
      for (const SubtargetFeatureKV &F : MSTI->getAllProcessorFeatures())
        if (StringRef(F.Key).starts_with("false-deps-")) {
          auto M = std::make_unique<Machine>();
          std::string Features = std::string("+") + F.Key;
          if (!M->open({Fam.Variants[0].Triple, "", Features.c_str()}, Error))
            report_fatal_error(StringRef(Error));
          Tuned.push_back({F.Value, std::move(M)});
        }
    }
    for (unsigned Op = 0; X86 && Op < TII->getNumOpcodes(); ++Op) {
      std::array<unsigned, 4> K{0, 0, 0, 0xffff};
      const MCInstrDesc &D = TII->get(Op);
      bool Fixed = false; // registers that nothing allocates
      for (const MCOperandInfo &I : D.operands())
        Fixed |= I.OperandType != MCOI::OPERAND_MEMORY && TII->getOpRegClassID(I) >= 0 && !TRI->getRegClass(TII->getOpRegClassID(I))->isAllocatable();
      if (Op > TargetOpcode::GENERIC_OP_END) {
        MachineFunction &MF = *Ms[0]->MF;
        MachineInstr *MI = sample(MF, Op, 0);
        K[0] |= TII->isHighLatencyDef(Op) ? HighLatency : 0;
        if (TII->isAssociativeAndCommutative(*MI))
          K[0] |= Associative;
        else {
          MI->setFlag(MachineInstr::FmReassoc);
          MI->setFlag(MachineInstr::FmNsz);
          K[0] |= TII->isAssociativeAndCommutative(*MI) ? AssociativeIfFree : 0;
        }
        if (TII->isAssociativeAndCommutative(*MI, true))
          errs() << TII->getName(Op) << " is the inverse of an operation\n";
        MF.erase(MI->getParent());
        if (!Fixed && !D.isVariadic()) {
          falseDeps(*Ms[0], Op, K);
          scalarLoads(Op, K);
        }
        for (auto &[Bit, M] : Tuned) {
          std::array<unsigned, 4> With{};
          if (!Fixed && !D.isVariadic())
            falseDeps(*M, Op, With);
          if (With[0] & ~K[0] & (PartialUpdate | PartialFold)) {
            K[0] |= With[0];
            K[3] = Bit;
          }
        }
      }
      auto [It, New] = Kinds.try_emplace(K, List.size());
      if (New)
        List.push_back(K);
      if (List.size() > 256)
        report_fatal_error("too many kinds of opcodes");
      Of.push_back(It->second);
    }
    B.u32(Of.size());
    for (uint8_t V : Of)
      B.u8(V);
    RB.u32(List.size());
    for (auto &K : List) {
      RB.u8(K[0]);
      RB.u8(K[1]);
      RB.u16(K[3]);
      RB.u8(K[2]);
    }
    Out.add(SecTraits, std::move(B));
    Out.add(SecTraitRows, std::move(RB));
  }

  // Whether the result waits for the old value of a register that does not count,
  // and whether that keeps an operand from being folded.
  void falseDeps(Machine &M, unsigned Op, std::array<unsigned, 4> &K) {
    const TargetInstrInfo &II = *M.STI->getInstrInfo();
    const MCInstrDesc &D = II.get(Op);
    MachineInstr *MI = sample(*M.MF, Op, 0);
    if (D.getNumDefs() && II.getPartialRegUpdateClearance(*MI, 0, TRI))
      K[0] |= PartialUpdate;
    for (unsigned I = D.getNumDefs(); I < std::min(8u, unsigned(D.getNumOperands())); ++I) {
      MachineOperand &O = MI->getOperand(I);
      if (!O.isReg() || !O.getReg())
        continue;
      Register Was = O.getReg();
      O.setReg(*TRI->getRegClass(II.getOpRegClassID(D.operands()[I]))->begin());
      O.setIsUndef();
      K[1] |= II.getUndefRegClearance(*MI, I, TRI) ? 1u << I : 0;
      O.setIsUndef(false);
      O.setReg(Was);
    }
    M.MF->erase(MI->getParent());
    for (unsigned I = D.getNumDefs(); I < std::min(5u, unsigned(D.getNumOperands())); ++I) {
      if (!folds(M, Op, I, true, false))
        continue;
      if (!folds(M, Op, I, false, false))
        K[0] |= PartialFold;
      else if (I != 1 && D.getNumOperands() > 1 && II.getOpRegClassID(D.operands()[1]) >= 0 && !folds(M, Op, I, false, true))
        K[0] |= UndefFold;
    }
  }

  // Which loads of a scalar into a vector register fold: of 2, 4 and 8 bytes.
  void scalarLoads(unsigned Op, std::array<unsigned, 4> &K) {
    MachineFunction &MF = *Ms[0]->MF;
    const MCInstrDesc &D = TII->get(Op);
    const std::pair<const char *, unsigned> Loads[] = {{"VMOVSHZrm", 2}, {"MOVSSrm", 4}, {"MOVSDrm", 8}};
    for (unsigned I = D.getNumDefs(); I < std::min(5u, unsigned(D.getNumOperands())); ++I) {
      if (!folds(*Ms[0], Op, I, true, false) || TRI->getRegSizeInBits(*TRI->getRegClass(TII->getOpRegClassID(D.operands()[I]))) < 128)
        continue;
      for (unsigned L = 0; L < 3; ++L) {
        unsigned LoadOp = 0;
        while (TII->getName(LoadOp) != Loads[L].first)
          ++LoadOp;
        Ms[0]->F->addFnAttr(Attribute::OptimizeForSize);
        MachineInstr *MI = sample(MF, Op, 0x40);
        MachineInstr *Load = sample(MF, LoadOp, 0);
        Load->addMemOperand(MF, MF.getMachineMemOperand(MachinePointerInfo(), MachineMemOperand::MOLoad, LLT::scalar(8 * Loads[L].second), Align(64)));
        Load->getOperand(0).setReg(MI->getOperand(I).getReg());
        if (TII->foldMemoryOperand(*MI, {I}, *Load))
          K[2] |= Loads[L].second;
        MF.erase(MI->getParent());
        MF.erase(Load->getParent());
        Ms[0]->F->removeFnAttr(Attribute::OptimizeForSize);
      }
    }
  }

  // Whether operand I folds into a stack slot, for size, where operand 1 is undefined.
  bool folds(Machine &M, unsigned Op, unsigned I, bool Size, bool Undef) {
    const TargetInstrInfo &II = *M.STI->getInstrInfo();
    int Class = II.getOpRegClassID(II.get(Op).operands()[I]);
    if (Class < 0 || II.get(Op).operands()[I].OperandType == MCOI::OPERAND_MEMORY || II.get(Op).usesCustomInsertionHook() || II.get(Op).isMoveReg())
      return false;
    if (Size)
      M.F->addFnAttr(Attribute::OptimizeForSize);
    else
      M.F->removeFnAttr(Attribute::OptimizeForSize);
    MachineInstr *MI = sample(*M.MF, Op, 0x40);
    if (Undef)
      MI->getOperand(1).setIsUndef();
    int FI = M.MF->getFrameInfo().CreateStackObject(TRI->getRegSizeInBits(*TRI->getRegClass(Class)) / 8, Align(64), true);
    bool Did = II.foldMemoryOperand(*MI, {I}, FI) != nullptr;
    M.MF->getFrameInfo().RemoveStackObject(FI);
    M.MF->erase(MI->getParent());
    M.F->removeFnAttr(Attribute::OptimizeForSize);
    return Did;
  }

  template <typename L> void flagList(uint16_t ID, L List) {
    Buf B;
    B.u32(List.size());
    for (const auto &[Value, Name] : List) {
      B.u64(uint64_t(int64_t(Value)));
      B.u32(Nm.add(Name));
    }
    Out.add(ID, std::move(B));
  }

  void flags() {
    flagList(SecDirectFlags, TII->getSerializableDirectMachineOperandTargetFlags());
    flagList(SecBitFlags, TII->getSerializableBitmaskMachineOperandTargetFlags());
    flagList(SecTargetIndices, TII->getSerializableTargetIndices());
    Buf B;
    auto L = TII->getSerializableMachineMemOperandTargetFlags();
    B.u32(L.size());
    for (const auto &[Value, Name] : L) {
      B.u64(uint64_t(Value));
      B.u32(Nm.add(Name));
    }
    Out.add(SecMemFlags, std::move(B));
  }

  unsigned FeatureWords = 0;
  uint32_t featureSet(const FeatureBitset &S) {
    std::vector<uint64_t> W(FeatureWords);
    for (unsigned I = 0; I < FeatureWords * 64 && I < S.size(); ++I)
      if (S[I])
        W[I / 64] |= uint64_t(1) << I % 64;
    return FeatureSets.add(W);
  }

  void features() {
    const TargetSubtargetInfo *S = Ms[0]->STI;
    unsigned Max = 0;
    for (const SubtargetFeatureKV &F : S->getAllProcessorFeatures())
      Max = std::max(Max, F.Value);
    FeatureWords = Max / 64 + 1;
    Buf B, P;
    B.u32(S->getAllProcessorFeatures().size());
    for (const SubtargetFeatureKV &F : S->getAllProcessorFeatures()) {
      B.u32(Nm.add(F.Key));
      B.u32(Nm.add(F.Desc));
      B.u16(F.Value);
      B.u32(featureSet(F.Implies.getAsBitset()));
    }
    std::vector<const MCSchedModel *> Models;
    P.u32(S->getAllProcessorDescriptions().size());
    for (const SubtargetSubTypeKV &D : S->getAllProcessorDescriptions()) {
      P.u32(Nm.add(D.Key));
      P.u32(featureSet(D.Implies.getAsBitset()));
      P.u32(featureSet(D.TuneImplies.getAsBitset()));
      size_t Model = llvm::find(Models, D.SchedModel) - Models.begin();
      if (Model == Models.size())
        Models.push_back(D.SchedModel);
      P.u16(Model);
    }
    Out.add(SecFeatures, std::move(B));
    Out.add(SecProcessors, std::move(P));
    std::vector<const MCSchedModel *> Defaults;
    for (const auto &M : Ms)
      Defaults.push_back(&M->STI->getSchedModel());
    Out.add(SecSched, schedTable(Fam, Models, Defaults));
  }

  void pools() {
    auto Put = [&](uint16_t ID, const auto &Data) {
      Buf B;
      B.array(Data);
      Out.add(ID, std::move(B));
    };
    Put(SecImplicit, Implicit.Data);
    Put(SecRegDiffs, Diffs.Data);
    Put(SecLaneLists, LaneLists.Data);
    Put(SecRegLists, RegLists.Data);
    Put(SecSubIdxLists, SubIdx.Data);
    Put(SecClassBits, ClassBits.Data);
    Put(SecRegMaskBits, RegSets.Data);
    Put(SecTypeLists, Types.Data);
    Put(SecFeatureBits, FeatureSets.Data);
    Buf M;
    M.u32(Nm.add(Fam.Name));
    M.u64(TRI->getCoveringLanes().getAsInteger());
    M.u16(TRI->getRARegister().id());
    M.u16(TRI->getProgramCounter().id());
    M.u16(NumModeClasses);
    M.u16(FeatureWords);
    M.u16(Ms[0]->STI->getHwMode(MCSubtargetInfo::HwMode_RegInfo));
    Out.add(SecMeta, std::move(M));
    Buf B;
    B.B.assign(Nm.Blob.begin(), Nm.Blob.end());
    Out.add(SecNames, std::move(B));
  }
};

} // namespace

std::vector<uint8_t> extract(const Family &F, std::string &Error) {
  Extractor E(F);
  if (!E.run()) {
    Error = E.Error.empty() ? "failed" : E.Error;
    return {};
  }
  return E.Out.write();
}

} // namespace facts
