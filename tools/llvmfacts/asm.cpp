// Derives x86's assembly templates: each opcode is printed through MCInstPrinter
// with markup and recognisable operands, then what the markup encloses is
// replaced by placeholders. Every template is derived from two different sets of
// operand values and kept only if both agree. desc/asm.go describes the
// template language.
#include "asm.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace facts {
namespace {

const char *const CondCodes[16] = {"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"};
const char *const CondTests[16] = {"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "t", "f", "l", "ge", "le", "g"};
const char *const Rounding[4] = {"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"};
const char *const FloatPreds[32] = {
    "eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord", "eq_uq", "nge", "ngt", "false", "neq_oq", "ge", "gt", "true",
    "eq_os", "lt_oq", "le_oq", "unord_s", "neq_us", "nlt_uq", "nle_uq", "ord_s", "eq_us", "nge_uq", "ngt_uq", "false_os",
    "neq_os", "ge_oq", "gt_oq", "true_us"};
const char *const IntPreds[8] = {"eq", "lt", "le", nullptr, "neq", "nlt", "nle", nullptr};
const char *const XopPreds[8] = {"lt", "le", "gt", "ge", "eq", "neq", "false", "true"};

// How the operands of an opcode form what is written.
enum Role { Reg, Imm, PCRel, Cond, RoundCtl, MemFirst, MemRest };
struct Shape {
  std::vector<Role> Roles;
  std::vector<char> MemKind; // for MemFirst: m, o, s or d
};

struct Deriver {
  const MCInstrInfo &MII;
  const MCRegisterInfo &MRI;
  MCInstPrinter &IP;
  const MCSubtargetInfo &STI, &STI32;
  unsigned Segment; // class of segment registers
  std::string Why;

  Shape shape(const MCInstrDesc &D) {
    Shape S;
    auto Ops = D.operands();
    auto IsMem = [&](unsigned I) { return I < Ops.size() && Ops[I].OperandType == MCOI::OPERAND_MEMORY; };
    auto IsSeg = [&](unsigned I) { return IsMem(I) && Ops[I].RegClass == int(Segment) && !Ops[I].isLookupRegClassByHwMode(); };
    auto IsReg = [&](unsigned I) { return IsMem(I) && (Ops[I].RegClass >= 0); };
    for (unsigned I = 0; I < Ops.size(); ++I) {
      const MCOperandInfo &O = Ops[I];
      S.MemKind.push_back(0);
      // LEA's address has no operand type; its classes tell.
      auto Class = [&](unsigned J) { return I + J < Ops.size() ? int(Ops[I + J].RegClass) : -1; };
      bool Address = Class(0) >= 0 && Class(1) < 0 && Class(2) >= 0 && Class(3) < 0 && Class(4) == int(Segment) &&
                     !Ops[I + 4].isLookupRegClassByHwMode();
      if (Address || O.OperandType == MCOI::OPERAND_MEMORY) {
        unsigned N = 1;
        char Kind = 'd';
        if (Address)
          N = 5, Kind = 'm';
        else if (IsReg(I) && IsSeg(I + 1))
          N = 2, Kind = 's';
        else if (!IsReg(I) && IsSeg(I + 1))
          N = 2, Kind = 'o';
        S.MemKind.back() = Kind;
        S.Roles.push_back(MemFirst);
        for (unsigned J = 1; J < N; ++J, ++I) {
          S.Roles.push_back(MemRest);
          S.MemKind.push_back(0);
        }
        continue;
      }
      switch (O.OperandType) {
      case MCOI::OPERAND_PCREL: S.Roles.push_back(PCRel); break;
      case MCOI::OPERAND_FIRST_TARGET: S.Roles.push_back(RoundCtl); break;
      case MCOI::OPERAND_FIRST_TARGET + 1: S.Roles.push_back(Cond); break;
      default: S.Roles.push_back(O.RegClass >= 0 ? Reg : Imm);
      }
    }
    return S;
  }

  // The registers of a class operand, last first: those are the least likely to
  // be written as fixed registers of an instruction.
  MCRegister pickReg(const MCOperandInfo &O, unsigned Nth) {
    unsigned ID = O.isLookupRegClassByHwMode() ? MII.getOpRegClassID(O, 1) : O.RegClass;
    const MCRegisterClass &RC = MRI.getRegClass(ID);
    std::vector<MCRegister> Rs;
    for (unsigned I = RC.getNumRegs(); I-- > 0;) {
      StringRef N = MRI.getName(RC.getRegister(I));
      if (N != "RIP" && N != "EIP" && N != "IP" && N != "RIZ" && N != "EIZ" && !N.ends_with("PH"))
        Rs.push_back(RC.getRegister(I));
    }
    return Rs.empty() ? RC.getRegister(0) : Rs[Nth % Rs.size()];
  }

  struct Inst {
    MCInst MI;
    std::vector<int64_t> Imms;
  };

  Inst build(unsigned Op, const Shape &S, unsigned Set) {
    const MCInstrDesc &D = MII.get(Op);
    Inst R;
    R.MI.setOpcode(Op);
    R.Imms.assign(D.getNumOperands(), 0);
    unsigned Mem = 0;
    for (unsigned I = 0; I < D.getNumOperands(); ++I) {
      const MCOperandInfo &O = D.operands()[I];
      int Tied = D.getOperandConstraint(I, MCOI::TIED_TO);
      if (Tied >= 0) {
        R.MI.addOperand(R.MI.getOperand(Tied));
        continue;
      }
      auto AddImm = [&](int64_t V) { R.MI.addOperand(MCOperand::createImm(V)); R.Imms[I] = V; };
      auto AddReg = [&](MCRegister V) { R.MI.addOperand(MCOperand::createReg(V)); };
      switch (S.Roles[I]) {
      case Reg: AddReg(pickReg(O, I + 5 * Set)); break;
      case Imm: AddImm(81 + 7 * I + 3 * Set); break;
      case PCRel: AddImm(1001 + I + 100 * Set); break;
      case Cond:
      case RoundCtl: AddImm(0); break;
      case MemFirst: Mem = I; [[fallthrough]];
      case MemRest: {
        char K = S.MemKind[Mem];
        unsigned J = I - Mem;
        if (K == 'm' && J == 1)
          AddImm(Set ? 4 : 2);
        else if (K == 'm' && J == 3)
          AddImm(5001 + 10 * I + Set);
        else if (K == 'o' && J == 0)
          AddImm(5001 + 10 * I + Set);
        else if (O.RegClass == int(Segment) && J)
          AddReg(MCRegister());
        else
          AddReg(pickReg(O, I + 7 + 5 * Set));
      }
      }
    }
    return R;
  }

  std::string print(const MCInst &MI) {
    std::string S;
    raw_string_ostream OS(S);
    bool Is32 = MII.getName(MI.getOpcode()) == "CALLpcrel32";
    IP.printInst(&MI, 0, "", Is32 ? STI32 : STI, OS);
    return StringRef(OS.str()).ltrim('\t').rtrim().str();
  }

  std::string regText(MCRegister R) {
    std::string S;
    raw_string_ostream OS(S);
    IP.printRegName(OS, R);
    return OS.str();
  }

  // Replaces <reg:…>, <imm:…> and <mem:…> by placeholders.
  std::optional<std::string> fold(StringRef T, const Inst &In, const Shape &S) {
    std::string Out;
    const MCInst &MI = In.MI;
    auto Ph = [&](StringRef Kind, unsigned I) { Out += ("<" + Kind + ":" + Twine(I) + ">").str(); };
    for (size_t P = 0; P < T.size();) {
      if (T[P] != '<') {
        Out += T[P++];
        continue;
      }
      size_t Depth = 0, E = P;
      do {
        Depth += T[E] == '<';
        Depth -= T[E] == '>';
        ++E;
      } while (Depth && E < T.size());
      StringRef Whole = T.slice(P, E), Tag = Whole.substr(1).take_until([](char C) { return C == ':'; });
      StringRef Body = Whole.substr(Tag.size() + 2).drop_back();
      bool Found = false;
      if (Tag == "reg") {
        for (unsigned I = 0; I < MI.getNumOperands() && !Found; ++I) {
          if (S.Roles[I] != Reg || !MI.getOperand(I).isReg())
            continue;
          MCRegister R = MI.getOperand(I).getReg();
          std::string Name = regText(R);
          StringRef N(Name);
          N.consume_front("<reg:");
          N.consume_back(">");
          if (Body == N)
            Ph("r", I), Found = true;
          else if (StringRef(MRI.getName(R)).contains("_") && pairFirst(R) == Body)
            Ph("kp", I), Found = true;
        }
        if (!Found) // a fixed register of the instruction
          Out += Body, Found = true;
      } else if (Tag == "imm" || Tag == "target") {
        StringRef Num = Body;
        bool Dollar = Num.consume_front("$");
        int64_t V;
        if (!Num.getAsInteger(0, V))
          for (unsigned I = 0; I < MI.getNumOperands() && !Found; ++I)
            if ((S.Roles[I] == Imm || S.Roles[I] == PCRel) && In.Imms[I] == V)
              Ph(S.Roles[I] == PCRel ? "pc" : Dollar || !ATT ? "i" : "n", I), Found = true;
        if (!Found)
          Out += Body, Found = true;
      } else if (Tag == "mem") {
        for (unsigned I = 0; I < MI.getNumOperands() && !Found; ++I) {
          if (S.Roles[I] != MemFirst || memSeen(Out, I))
            continue;
          std::string Key;
          if (MI.getOperand(I).isReg()) {
            std::string N = regText(MI.getOperand(I).getReg());
            if (!Whole.contains(N))
              continue;
          } else if (!Whole.contains(std::to_string(In.Imms[I])))
            continue;
          Ph(StringRef(&S.MemKind[I], 1), I), Found = true;
        }
      }
      if (!Found) {
        Why = "no operand for " + Whole.str();
        return std::nullopt;
      }
      P = E;
    }
    return Out;
  }
  bool ATT = true;

  static bool memSeen(StringRef Out, unsigned I) {
    for (const char *K : {"<m:", "<o:", "<s:", "<d:"})
      if (Out.contains((K + Twine(I) + ">").str()))
        return true;
    return false;
  }

  // The first half of a pair of mask registers, as it is written.
  std::string pairFirst(MCRegister R) {
    for (MCPhysReg Sub : MRI.subregs(R)) {
      std::string N = regText(Sub);
      StringRef T(N);
      T.consume_front("<reg:");
      T.consume_back(">");
      return T.str();
    }
    return "";
  }

  std::optional<std::string> at(Inst In, const Shape &S, unsigned I, int64_t V) {
    if (int(I) >= 0) {
      In.MI.getOperand(I).setImm(V);
      In.Imms[I] = V;
    }
    return fold(print(In.MI), In, S);
  }

  // Replaces what differs in the texts of an operand's values by a placeholder:
  // T(v) = A + Words[v] + B for every v with a word. Result: A<Kind:I>B.
  template <typename F>
  std::optional<std::string> words(F T, ArrayRef<const char *> Words, StringRef Kind, unsigned I) {
    auto T0 = T(0);
    if (!T0)
      return std::nullopt;
    for (size_t P = T0->find(Words[0]); P != std::string::npos; P = T0->find(Words[0], P + 1)) {
      std::string A = T0->substr(0, P), B = T0->substr(P + strlen(Words[0]));
      bool All = true;
      for (unsigned V = 1; V < Words.size() && All; ++V) {
        if (!Words[V])
          continue;
        auto TV = T(V);
        All = TV && *TV == A + Words[V] + B;
      }
      if (All)
        return A + ("<" + Kind + ":" + Twine(I) + ">").str() + B;
    }
    return std::nullopt;
  }

  // The template of an opcode with operand set Set.
  std::optional<std::string> derive(unsigned Op, unsigned Set) {
    const MCInstrDesc &D = MII.get(Op);
    Shape S = shape(D);
    Inst In = build(Op, S, Set);
    auto Base = at(In, S, -1, 0);
    if (!Base)
      return std::nullopt;
    std::string T = *Base;
    // One operand that becomes part of the mnemonic or a word of its own.
    for (unsigned I = 0; I < S.Roles.size(); ++I) {
      auto Text = [&](unsigned V) { return at(In, S, I, V); };
      if (S.Roles[I] == Cond) {
        auto C = words(Text, CondCodes, "cc", I);
        if (!C)
          C = words(Text, CondTests, "cct", I);
        if (!C) {
          Why = "condition code is not understood: " + T;
          return std::nullopt;
        }
        T = *C;
      } else if (S.Roles[I] == RoundCtl) {
        if (auto C = words(Text, Rounding, "rc", I))
          T = *C;
        else if (auto X = Text(0), Y = Text(1); !X || !Y || *X != *Y) {
          Why = "rounding control is not understood: " + T;
          return std::nullopt;
        }
      }
    }
    for (unsigned I = 0; I < S.Roles.size(); ++I) {
      if (S.Roles[I] == Reg)
        stackReg(In, I, T);
      if (S.Roles[I] != Imm)
        continue;
      std::string Mine = ("<i:" + Twine(I) + ">").str(), MineN = ("<n:" + Twine(I) + ">").str();
      if (!StringRef(T).contains(Mine) && !StringRef(T).contains(MineN)) {
        if (!flags(In, S, I, T))
          return std::nullopt;
        continue;
      }
      // How wide the value is written: all of it, or its low bits unsigned.
      Inst Neg = In;
      Neg.MI.getOperand(I).setImm(-1);
      Neg.Imms[I] = -1;
      std::string P = print(Neg.MI);
      for (auto [Text, Kind] : {std::pair("<imm:$255>", "u8"), std::pair("<imm:255>", "u8"), std::pair("<imm:$65535>", "u16"),
                                std::pair("<imm:65535>", "u16")})
        if (StringRef(P).contains(Text))
          if (size_t At = T.find(Mine); At != std::string::npos)
            T.replace(At, Mine.size(), ("<" + Twine(Kind) + ":" + Twine(I) + ">").str());
      // Comparison predicates in the mnemonic: a first template for those.
      auto Text = [&](unsigned V) { return at(In, S, I, V); };
      auto One = Text(1);
      if (One && !StringRef(*One).contains(Mine) && !StringRef(*One).contains(MineN)) {
        std::optional<std::string> C;
        if ((C = words(Text, FloatPreds, "fcc32", I)) || (C = words(Text, ArrayRef(FloatPreds).take_front(8), "fcc8", I)) ||
            (C = words(Text, IntPreds, "icc", I)) || (C = words(Text, XopPreds, "xcc", I)))
          T = *C + "|" + T;
      }
    }
    return T;
  }

  // Most x87 operands write register 0 as st(0), not as st.
  void stackReg(const Inst &In, unsigned I, std::string &T) {
    MCRegister R = In.MI.getOperand(I).getReg();
    StringRef Name = MRI.getName(R);
    if (Name.size() != 3 || !Name.starts_with("ST"))
      return;
    Inst Zero = In;
    Zero.MI.getOperand(I).setReg(R.id() - (Name[2] - '0'));
    std::string Mine = ("<r:" + Twine(I) + ">").str();
    if (size_t At = T.find(Mine); At != std::string::npos && StringRef(print(Zero.MI)).contains("st(0)"))
      T.replace(At, Mine.size(), ("<st:" + Twine(I) + ">").str());
  }

  // An immediate that is written as a list of flags: {dfv=of,sf}.
  bool flags(const Inst &In, const Shape &S, unsigned I, std::string &T) {
    auto Z = at(In, S, I, 0), F = at(In, S, I, 15);
    if (Z && F && *Z != *F) {
      size_t P = Z->find("{dfv=}");
      if (P == std::string::npos || StringRef(*F).substr(P).starts_with("{dfv=of,sf,zf,cf}") == false) {
        Why = "immediate " + std::to_string(I) + " is not understood: " + *Z;
        return false;
      }
      size_t At = T.find("{dfv="), End = T.find('}', At);
      if (At == std::string::npos)
        return false;
      T.replace(At, End + 1 - At, ("<dfv:" + Twine(I) + ">").str());
    }
    return true;
  }
};

} // namespace

bool asmTable(const Family &F, const MCInstrInfo &MII, Buf &Out) {
  if (StringRef(F.Name) != "X86")
    return false;
  Triple TT(F.Variants[0].Triple), TT32("i386-unknown-linux-gnu");
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(TT, Error);
  std::unique_ptr<MCRegisterInfo> MRI(T->createMCRegInfo(TT));
  MCTargetOptions Opts;
  std::unique_ptr<MCAsmInfo> MAI(T->createMCAsmInfo(*MRI, TT, Opts));
  std::unique_ptr<MCSubtargetInfo> STI(T->createMCSubtargetInfo(TT, "", "")), STI32(T->createMCSubtargetInfo(TT32, "", ""));
  unsigned Segment = 0;
  for (unsigned I = 0; I < MRI->getNumRegClasses(); ++I)
    if (StringRef(MRI->getRegClassName(&MRI->getRegClass(I))) == "SEGMENT_REG")
      Segment = I;
  const unsigned Variants = 2;
  // A template is kept as its mnemonic, up to the first tab, and the rest.
  std::vector<uint16_t> Refs(MII.getNumOpcodes() * Variants * 2);
  std::vector<std::string> Parts(1); // part 0 is empty: no template
  std::map<std::string, uint16_t> Seen;
  auto Part = [&](StringRef S) {
    auto [It, New] = Seen.try_emplace(S.str(), uint16_t(Parts.size()));
    if (New)
      Parts.push_back(S.str());
    Buf::check(Parts.size(), 0xffff);
    return It->second;
  };
  std::vector<std::string> RegNames;
  unsigned Good = 0, Bad = 0;
  for (unsigned V = 0; V < Variants; ++V) {
    std::unique_ptr<MCInstPrinter> IP(T->createMCInstPrinter(TT, V, *MAI, MII, *MRI));
    if (V == 1)
      for (unsigned R = 0; R < MRI->getNumRegs(); ++R) {
        std::string S;
        raw_string_ostream OS(S);
        if (R)
          IP->printRegName(OS, R);
        RegNames.push_back(OS.str());
      }
    IP->setUseMarkup(true);
    Deriver D{MII, *MRI, *IP, *STI, *STI32, Segment, ""};
    D.ATT = V == 0;
    for (unsigned Op = TargetOpcode::GENERIC_OP_END + 1; Op < MII.getNumOpcodes(); ++Op) {
      MCInst Probe;
      Probe.setOpcode(Op);
      if (MII.get(Op).isPseudo() || IP->getMnemonic(Probe).second == 0)
        continue;
      D.Why.clear();
      auto A = D.derive(Op, 0), B = D.derive(Op, 1);
      if (A && !A->empty() && (*A)[0] == '#')
        continue; // a pseudo without the flag
      if (!A || !B || *A != *B || A->empty()) {
        ++Bad;
        if (A && B && D.Why.empty())
          D.Why = "two sets of operands disagree: " + *A + " and " + *B;
        errs() << "no template: " << V << " " << MII.getName(Op) << ": " << D.Why << "\n";
        continue;
      }
      ++Good;
      size_t Tab = std::min(A->find('\t'), A->size());
      Refs[(Op * Variants + V) * 2] = Part(A->substr(0, Tab)) ;
      Refs[(Op * Variants + V) * 2 + 1] = Tab == A->size() ? 0 : Part(A->substr(Tab));
    }
  }
  outs() << F.Name << ": " << Good << " assembly templates, " << Bad << " left out, " << Parts.size() << " parts\n";
  Out.u16(Variants);
  Out.u16(0);
  auto Strings = [&](const std::vector<std::string> &L) {
    uint32_t At = 0;
    Out.u32(L.size() + 1);
    Out.u32(0);
    for (const std::string &S : L)
      Out.u32(At += S.size());
    Out.u32(At);
    for (const std::string &S : L)
      Out.B.insert(Out.B.end(), S.begin(), S.end());
  };
  Out.array(Refs);
  Strings(Parts);
  Strings(RegNames);
  return true;
}

} // namespace facts
