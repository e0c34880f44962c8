// llvmask: answers questions about machine instructions on its standard input
// by asking an installed LLVM 22 through its public C++ API. tools/mclearn asks.
//
// A frame is a length (4 bytes) and that many bytes, little-endian; each frame
// asked is answered by one frame.
//
//	'V' triple\0 cpu\0 features\0 variant   a subtarget: all questions that
//	    follow are of it (variant 255: its own; + 0x40: texts with marks). Answer: 0 and what it has, or 1 and an error.
//	'W' triple\0 cpu\0 features\0          the same for decoding alone, fast.
//	    Answer: 0 and the words of its feature bits, or 1 and an error.
//	'Q' questions                            Answer: their answers, in order.
//	'F' kind (2)                             Answer: a fixup kind: name\0 offset size.
//	'A' features\0 prologue\0 texts          The assembler, with features beyond
//	    those of the subtarget: what it makes of each text (a line each, behind the
//	    prologue). Answer, for each: status, instructions, the first error (column, words).
//	'M', 'S', 'P', 'B', 'T', 'N', 'X', 'Y'   what objects are made of: askobject.h.
//
// A question is: wants, opcode (2), number of operands, operands (kind, value
// (8)), and with WantRaw a number of bytes and the bytes. Its answer has, for
// each thing wanted, a status (0 right, 1 refused, 2 LLVM crashed) and where it
// is right what is asked; a refusal of WantRaw's bytes has the size that they are
// said to have. LLVM trusts its callers: what a question gets wrong
// may crash it, which is caught here.
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/MCValue.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace {

enum Want : uint8_t { WantCode = 1, WantText = 2, WantPlain = 4, WantDecode = 8, WantRaw = 16 };
enum Kind : uint8_t { KindReg, KindImm, KindSFP, KindDFP, KindSym, KindRef, KindSpec, KindNone };
enum Status : uint8_t { Right, Refused, Crashed };

// The member that chooses between instructions and their aliases has no accessor.
struct Aliases : MCInstPrinter {
  static bool MCInstPrinter::*member() { return &Aliases::PrintAliases; }
};

// A crash inside LLVM comes back to the question that caused it.
sigjmp_buf Back;
volatile sig_atomic_t Inside = 0;
volatile uint64_t Asked = 0, Watched = 0;

void caught(int Sig) {
  if (Sig == SIGPROF) { // a question may take one tick of the clock, not two
    if (!Inside || Asked != Watched) {
      Watched = Asked;
      return;
    }
  }
  if (!Inside)
    _exit(70);
  Inside = 0;
  siglongjmp(Back, 1);
}
void fatal(void *, const char *Why, bool) {
  if (getenv("LLVMASK_WHY"))
    fprintf(stderr, "llvmask: %s\n", Why);
  if (!Inside) {
    fprintf(stderr, "llvmask: %s\n", Why);
    _exit(71);
  }
  Inside = 0;
  siglongjmp(Back, 1);
}

// Runs F; false when LLVM crashed in it.
template <typename F> bool guarded(F Run) {
  ++Asked;
  if (sigsetjmp(Back, 1))
    return false;
  Inside = 1;
  bool OK = true;
  try {
    Run();
  } catch (...) { // memory, for a text of absurd length
    OK = false;
  }
  Inside = 0;
  return OK;
}

// Keeps the start of what is printed: names from beyond the end of a table are long.
struct ShortStream : raw_ostream {
  std::string S;
  ShortStream() : raw_ostream(true) {}
  void write_impl(const char *P, size_t N) override { S.append(P, std::min(N, 4000 - S.size())); }
  uint64_t current_pos() const override { return S.size(); }
};

struct Out {
  std::string B;
  void u8(uint64_t V) { B += char(V); }
  void u16(uint64_t V) { u8(V); u8(V >> 8); }
  void u32(uint64_t V) { u16(V); u16(V >> 16); }
  void u64(uint64_t V) { u32(V); u32(V >> 32); }
  void str(StringRef S) { u16(S.size()); B += S.str(); }
};

struct In {
  const uint8_t *P, *E;
  uint64_t get(unsigned N) {
    uint64_t V = 0;
    for (unsigned I = 0; I < N; ++I)
      V |= uint64_t(P < E ? *P : 0) << 8 * I, P += P < E;
    return V;
  }
  std::string str() {
    std::string S;
    while (P < E && *P)
      S += char(*P++);
    P += P < E;
    return S;
  }
};

// Keeps the instructions that the assembler emits, by the line they are from.
struct Catcher : MCStreamer {
  const char *Start = nullptr;
  std::vector<std::vector<MCInst>> &Insts;
  std::vector<unsigned> &LineAt;
  Catcher(MCContext &C, std::vector<std::vector<MCInst>> &I, std::vector<unsigned> &L) : MCStreamer(C), Insts(I), LineAt(L) {}
  bool emitSymbolAttribute(MCSymbol *, MCSymbolAttr) override { return true; }
  void emitCommonSymbol(MCSymbol *, uint64_t, Align) override {}
  void emitInstruction(const MCInst &MI, const MCSubtargetInfo &) override {
    ++Asked; // it moves on
    const char *P = getStartTokLoc().getPointer();
    if (P && Start && P >= Start && size_t(P - Start) < LineAt.size())
      Insts[LineAt[P - Start]].push_back(MI);
  }
};

#include "askobject.h"

struct Said {
  bool Error = false;
  unsigned Column = 0;
  std::string Words;
};

struct Subtarget {
  const Target *T = nullptr;
  std::string CPU, Features;
  Triple TT;
  MCTargetOptions Opts;
  std::unique_ptr<MCRegisterInfo> MRI;
  std::unique_ptr<MCAsmInfo> MAI;
  std::unique_ptr<MCInstrInfo> MII;
  std::unique_ptr<MCSubtargetInfo> STI;
  std::unique_ptr<MCContext> Ctx;
  std::unique_ptr<MCObjectFileInfo> MOFI;
  std::unique_ptr<MCInstPrinter> IP;
  std::unique_ptr<MCCodeEmitter> CE;
  std::unique_ptr<MCDisassembler> Dis;
  std::unique_ptr<MCAsmBackend> AB;
  bool Errors = false;
  std::string Message; // the first error
  ObjectSide Obj;

  std::string open(const std::string &Name, const std::string &CPU, const std::string &Features, unsigned Variant, bool DecodeOnly = false) {
    TT = Triple(Name);
    this->CPU = CPU, this->Features = Features;
    std::string Error;
    T = TargetRegistry::lookupTarget(TT, Error);
    if (!T)
      return Error;
    MRI.reset(T->createMCRegInfo(TT));
    MII.reset(T->createMCInstrInfo());
    STI.reset(T->createMCSubtargetInfo(TT, CPU, Features));
    if (!MRI || !MII || !STI)
      return "no machine code layer";
    MAI.reset(T->createMCAsmInfo(*MRI, TT, Opts));
    if (!MAI)
      return "no assembly";
    Ctx = std::make_unique<MCContext>(TT, MAI.get(), MRI.get(), STI.get(), nullptr, &Opts);
    MOFI.reset(T->createMCObjectFileInfo(*Ctx, false));
    Ctx->setObjectFileInfo(MOFI.get());
    Ctx->setDiagnosticHandler([this](const SMDiagnostic &D, bool, const SourceMgr &, std::vector<const MDNode *> &) {
      if (!Errors)
        Message = D.getMessage().str();
      Errors = true;
    });
    Dis.reset(T->createMCDisassembler(*STI, *Ctx));
    if (DecodeOnly)
      return Dis ? "" : "no disassembler";
    bool Marks = Variant != 255 && Variant & 0x40;
    if (Variant == 255)
      Variant = MAI->getAssemblerDialect();
    IP.reset(T->createMCInstPrinter(TT, Variant & 0x3f, *MAI, *MII, *MRI));
    if (IP)
      IP->setUseMarkup(Marks);
    CE.reset(T->createMCCodeEmitter(*MII, *Ctx));
    AB.reset(T->createMCAsmBackend(*STI, *MRI, Opts));
    return "";
  }

  void describe(Out &O) {
    O.u8((CE ? 1 : 0) | (IP ? 2 : 0) | (Dis ? 4 : 0) | (AB ? 8 : 0) | (MAI->isLittleEndian() ? 0 : 16));
    O.u32(MII->getNumOpcodes());
    O.u32(MRI->getNumRegs());
    for (unsigned R = 0; R < MRI->getNumRegs(); ++R) {
      ShortStream OS;
      if (R && IP && !guarded([&] { IP->printRegName(OS, MCRegister(R)); }))
        OS.S.clear();
      O.str(OS.S);
    }
  }

  const MCExpr *symbol(unsigned N, unsigned Spec) {
    return MCSymbolRefExpr::create(Ctx->getOrCreateSymbol("sym" + Twine(N)), Spec, *Ctx);
  }

  void read(In &I, MCInst &MI) {
    MI.setOpcode(I.get(2));
    for (unsigned N = I.get(1); N; --N) {
      unsigned K = I.get(1);
      uint64_t V = I.get(8);
      switch (K) {
      case KindReg: MI.addOperand(MCOperand::createReg(V)); break;
      case KindImm: MI.addOperand(MCOperand::createImm(V)); break;
      case KindSFP: MI.addOperand(MCOperand::createSFPImm(V)); break;
      case KindDFP: MI.addOperand(MCOperand::createDFPImm(V)); break;
      case KindSym: MI.addOperand(MCOperand::createExpr(symbol(V, 0))); break;
      case KindRef: MI.addOperand(MCOperand::createExpr(symbol(V & 255, V >> 8))); break;
      case KindSpec: MI.addOperand(MCOperand::createExpr(MCSpecifierExpr::create(symbol(V & 255, 0), V >> 8, *Ctx))); break;
      }
    }
  }

  bool settled(const MCFixup &F, SmallVectorImpl<char> &Bytes, bool &Wrong) {
    int64_t V;
    if (F.getValue()->getKind() != MCExpr::Constant || !F.getValue()->evaluateAsAbsolute(V))
      return false;
    ObjectSide &S = object();
    if (!S.AB || F.getOffset() >= Bytes.size())
      return false;
    SmallVector<uint8_t, 96> Copy(Bytes.begin(), Bytes.end());
    Copy.resize(96);
    Errors = false;
    bool OK = guarded([&] {
      S.AB->applyFixup(*S.Frag, F, MCValue::get(V), Copy.data() + F.getOffset(), V - (F.isPCRel() ? F.getOffset() : 0), true);
    });
    OK = OK && !Errors && S.Asm->PendingErrors.empty();
    Errors = false;
    S.Asm->PendingErrors.clear();
    if (OK)
      std::copy(Copy.begin(), Copy.begin() + Bytes.size(), Bytes.begin());
    Wrong |= !OK;
    return OK;
  }

  void code(Out &O, const MCInst &MI, SmallVectorImpl<char> &Bytes) {
    SmallVector<MCFixup, 4> Fixups;
    Errors = false;
    bool OK = CE && guarded([&] { CE->encodeInstruction(MI, Bytes, Fixups, *STI); });
    if (!OK || Errors || Bytes.size() > 64 || Fixups.size() > 8) {
      O.u8(OK ? Refused : Crashed);
      Bytes.clear();
      return;
    }
    // A place given as a number may become a fixup of a constant: it is settled here.
    bool Wrong = false;
    erase_if(Fixups, [&](const MCFixup &F) { return settled(F, Bytes, Wrong); });
    if (Wrong) {
      O.u8(Refused);
      Bytes.clear();
      return;
    }
    O.u8(Right);
    O.u8(Bytes.size());
    O.B.append(Bytes.data(), Bytes.size());
    O.u8(Fixups.size());
    for (const MCFixup &F : Fixups) {
      O.u8(F.getOffset());
      O.u16(F.getKind());
      O.u8((F.isPCRel() ? 1 : 0) | (F.isLinkerRelaxable() ? 2 : 0));
    }
  }

  void text(Out &O, const MCInst &MI, bool Alias) {
    ShortStream OS;
    (*IP).*Aliases::member() = Alias;
    Errors = false;
    bool OK = IP && guarded([&] { IP->printInst(&MI, 0, "", *STI, OS); });
    if (!OK || Errors || OS.S.size() > 2000) {
      O.u8(OK ? Refused : Crashed);
      return;
    }
    O.u8(Right);
    O.str(OS.S);
  }

  void decode(Out &O, ArrayRef<uint8_t> Bytes, bool Raw) {
    MCInst MI;
    uint64_t Size = 0;
    MCDisassembler::DecodeStatus S = MCDisassembler::Fail;
    Errors = false;
    bool OK = Dis && !Bytes.empty() && guarded([&] { S = Dis->getInstruction(MI, Size, Bytes, 0, nulls()); });
    if (!OK || S == MCDisassembler::Fail || MI.getNumOperands() > 200) {
      O.u8(OK ? Refused : Crashed);
      if (Raw)
        O.u8(OK ? Size : 0);
      return;
    }
    // ARM's remembers blocks of conditions; each question is asked of one that has seen nothing.
    StringRef Name = MII->getName(MI.getOpcode());
    if (TT.isARM() || TT.isThumb())
      if (Name.starts_with("t2IT") || Name.starts_with("MVE_VP"))
        Dis.reset(T->createMCDisassembler(*STI, *Ctx));
    O.u8(Right);
    O.u8(S == MCDisassembler::SoftFail);
    O.u8(Size);
    O.u16(MI.getOpcode());
    O.u8(MI.getNumOperands());
    for (const MCOperand &P : MI)
      operand(O, P);
  }

  // Assembles lines; what LLVM crashes at has no answer, nor have the lines behind it.
  void assemble(In &I, Out &O) {
    std::string More = I.str(), Text = I.str();
    std::vector<unsigned> LineAt(Text.size(), 0);
    unsigned Lines = 1 + std::count(Text.begin(), Text.end(), '\n'), First = Lines;
    Text += '\n';
    LineAt.resize(Text.size(), 0);
    while (I.P < I.E) {
      std::string S;
      for (unsigned N = I.get(2); N; --N)
        S += char(I.get(1));
      Text += S + '\n';
      LineAt.resize(Text.size(), Lines++);
    }
    std::vector<std::vector<MCInst>> Insts(Lines);
    std::vector<Said> Says(Lines);
    unsigned Reached = 0;
    std::string All = Features;
    if (!More.empty())
      All += (All.empty() ? "" : ",") + More;
    std::unique_ptr<MCSubtargetInfo> STI(T->createMCSubtargetInfo(TT, CPU, All));
    SourceMgr SM;
    SM.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(Text, "q"), SMLoc());
    const char *Start = SM.getMemoryBuffer(1)->getBufferStart();
    SM.setDiagHandler([](const SMDiagnostic &D, void *P) {
      auto &S = *static_cast<std::vector<Said> *>(P);
      ++Asked;
      unsigned L = D.getLineNo() - 1;
      if (D.getKind() != SourceMgr::DK_Error || L >= S.size() || S[L].Error)
        return;
      S[L] = {true, unsigned(D.getColumnNo()), D.getMessage().str()};
    }, &Says);
    MCContext C(TT, MAI.get(), MRI.get(), STI.get(), &SM, &Opts);
    std::unique_ptr<MCObjectFileInfo> MOFI(T->createMCObjectFileInfo(C, false));
    C.setObjectFileInfo(MOFI.get());
    auto Str = std::make_unique<Catcher>(C, Insts, LineAt);
    Str->Start = Start;
    T->createNullTargetStreamer(*Str);
    std::unique_ptr<MCAsmParser> P(createMCAsmParser(SM, C, *Str, *MAI));
    std::unique_ptr<MCTargetAsmParser> TAP;
    // Where features contradict each other there is no assembler: no text has an answer.
    if (!guarded([&] { TAP.reset(T->createMCAsmParser(*STI, *P, *MII, Opts)); }) || !TAP) {
      for (unsigned L = First; L < Lines; ++L)
        O.u8(Crashed);
      (void)P.release(), (void)Str.release(), (void)MOFI.release();
      return;
    }
    bool OK = guarded([&] {
      P->setTargetParser(*TAP);
      P->Run(false, true);
    });
    if (!OK) {
      SMLoc L = Str->getStartTokLoc();
      if (L.getPointer() >= Start && size_t(L.getPointer() - Start) < LineAt.size())
        Reached = LineAt[L.getPointer() - Start];
    }
    for (unsigned L = First; L < Lines; ++L) {
      if (!OK && L >= Reached) {
        O.u8(L == Reached ? Crashed : Refused + 8);
        continue;
      }
      O.u8(Right);
      O.u8(std::min<size_t>(Insts[L].size(), 255));
      for (const MCInst &MI : ArrayRef(Insts[L]).take_front(255)) {
        O.u16(MI.getOpcode());
        O.u8(MI.getNumOperands());
        for (const MCOperand &Op : MI)
          operand(O, Op);
      }
      O.u8(Says[L].Error);
      if (Says[L].Error) {
        O.u16(Says[L].Column);
        O.str(StringRef(Says[L].Words).take_front(60000));
      }
    }
    if (!OK) { // what crashed may hold anything
      (void)P.release(), (void)TAP.release(), (void)Str.release(), (void)MOFI.release();
    }
  }

  void operand(Out &O, const MCOperand &P) {
    if (P.isReg())
      O.u8(KindReg), O.u64(P.getReg().id());
    else if (P.isImm())
      O.u8(KindImm), O.u64(P.getImm());
    else if (P.isSFPImm())
      O.u8(KindSFP), O.u64(P.getSFPImm());
    else if (P.isDFPImm())
      O.u8(KindDFP), O.u64(P.getDFPImm());
    else
      O.u8(P.isExpr() ? KindSym : KindNone), O.u64(0);
  }

  void question(In &I, Out &O) {
    unsigned W = I.get(1);
    MCInst MI;
    read(I, MI);
    SmallVector<char, 64> Bytes;
    if (W & WantCode)
      code(O, MI, Bytes);
    if (W & WantText)
      text(O, MI, true);
    if (W & WantPlain)
      text(O, MI, false);
    if (W & WantRaw) {
      Bytes.clear();
      for (unsigned N = I.get(1); N; --N)
        Bytes.push_back(I.get(1));
    }
    if (W & WantDecode)
      decode(O, ArrayRef<uint8_t>(reinterpret_cast<uint8_t *>(Bytes.data()), Bytes.size()), W & WantRaw);
  }

#include "askobjectanswers.h"

  void fixup(unsigned K, Out &O) {
    MCFixupKindInfo Info{"", 0, 0, 0};
    if (AB)
      guarded([&] { Info = AB->getFixupKindInfo(MCFixupKind(K)); });
    O.str(Info.Name ? Info.Name : "");
    O.u8(Info.TargetOffset);
    O.u8(Info.TargetSize);
  }
};

bool readAll(void *To, size_t N) {
  for (char *P = static_cast<char *>(To); N;) {
    ssize_t K = read(0, P, N);
    if (K <= 0)
      return false;
    P += K, N -= K;
  }
  return true;
}

bool writeAll(const char *P, size_t N) {
  for (; N;) {
    ssize_t K = write(1, P, N);
    if (K <= 0)
      return false;
    P += K, N -= K;
  }
  return true;
}

void catchCrashes() {
  static char Stack[1 << 16];
  stack_t SS{};
  SS.ss_sp = Stack;
  SS.ss_size = sizeof Stack;
  sigaltstack(&SS, nullptr);
  struct sigaction SA{};
  SA.sa_handler = caught;
  SA.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
  for (int S : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGPROF})
    sigaction(S, &SA, nullptr);
  itimerval Tick{{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &Tick, nullptr);
  rlimit Limit{4ull << 30, 4ull << 30};
  setrlimit(RLIMIT_AS, &Limit);
  install_fatal_error_handler(fatal);
  install_bad_alloc_error_handler(fatal);
}

} // namespace

int main() {
  InitializeAllTargetInfos();
  InitializeAllTargetMCs();
  InitializeAllDisassemblers();
  InitializeAllAsmParsers();
  catchCrashes();
  std::unique_ptr<Subtarget> ST;
  std::vector<uint8_t> Frame;
  for (;;) {
    uint32_t N;
    if (!readAll(&N, 4))
      return 0;
    Frame.resize(N);
    if (!readAll(Frame.data(), N))
      return 0;
    In I{Frame.data(), Frame.data() + N};
    Out O;
    switch (I.get(1)) {
    case 'V': {
      std::string Name = I.str(), CPU = I.str(), Features = I.str();
      ST = std::make_unique<Subtarget>();
      std::string Error = ST->open(Name, CPU, Features, I.get(1));
      O.u8(!Error.empty());
      if (!Error.empty()) {
        O.str(Error);
        ST.reset();
      } else
        ST->describe(O);
      break;
    }
    case 'W': {
      std::string Name = I.str(), CPU = I.str(), Features = I.str();
      ST = std::make_unique<Subtarget>();
      std::string Error = "it crashes";
      guarded([&] { Error = ST->open(Name, CPU, Features, 0, true); });
      O.u8(!Error.empty());
      if (!Error.empty()) {
        O.str(Error);
        ST.reset();
        break;
      }
      const FeatureBitset &Bits = ST->STI->getFeatureBits();
      for (unsigned B = 0; B < MAX_SUBTARGET_FEATURES; B += 64) {
        uint64_t Word = 0;
        for (unsigned K = 0; K < 64 && B + K < MAX_SUBTARGET_FEATURES; ++K)
          Word |= uint64_t(Bits[B + K]) << K;
        O.u64(Word);
      }
      break;
    }
    case 'Q':
      while (ST && I.P < I.E)
        ST->question(I, O);
      break;
    case 'A':
      if (ST)
        ST->assemble(I, O);
      break;
    case 'M':
      if (ST)
        ST->machine(O);
      break;
    case 'S':
      if (ST)
      {
        unsigned From = I.get(4), To = I.get(4);
        ST->specifiers(From, To, O);
      }
      break;
    case 'P':
      while (ST && I.P < I.E)
        ST->probe(I, O);
      break;
    case 'B':
      if (ST)
        ST->applied(I, O);
      break;
    case 'T':
      while (ST && I.P < I.E)
        ST->relocation(I, O);
      break;
    case 'N':
      if (ST)
        ST->nops(I, O);
      break;
    case 'X':
      while (ST && I.P < I.E)
        ST->longer(I, O);
      break;
    case 'Y':
      if (ST)
        ST->reach(I, O);
      break;
    case 'F':
      if (ST)
        ST->fixup(I.get(2), O);
      break;
    }
    uint32_t L = O.B.size();
    if (!writeAll(reinterpret_cast<char *>(&L), 4) || !writeAll(O.B.data(), L))
      return 0;
  }
}
