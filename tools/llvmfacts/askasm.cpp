// llvmaskasm: what AArch64's assembly parser makes of texts, below the level of
// instructions. tools/asmtables asks.
//
// LLVM's assembly parser compares the operands of a text with rows of classes. The rows are
// data of its object file, which tools/asmtables reads; what a class takes is code, so it is
// asked. The functions are local to the object file; the Makefile gives them a name.
//
// Each line of standard input is a question, answered by lines of which the last is ".":
//
//	F features   a parser for a subtarget. Answer: the bits of the parser's features.
//	I text       an instruction. Answer: "error column words" or, for each operand, its kind
//	             (t for tokens), its column, and class:result for each class that does not
//	             just refuse it (result 4 is yes, larger ones have words).
//	C k n ...    the operands of the MC instruction that a kind of conversion makes of operand n
//	             of the last instruction, for each pair.
//	W n          the words of a result.
//	N n          what is said where the parser's feature n is missing.
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCParsedAsmOperand.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>
#include <sstream>
#include <sys/mman.h>

using namespace llvm;

extern "C" void LLVMInitializeAArch64AsmParser();
extern "C" void LLVMInitializeAArch64TargetInfo();
extern "C" void LLVMInitializeAArch64TargetMC();

using Operands = SmallVector<std::unique_ptr<MCParsedAsmOperand>, 8>;
using OperandsImpl = SmallVectorImpl<std::unique_ptr<MCParsedAsmOperand>>;

unsigned validate(MCParsedAsmOperand &, int, const MCSubtargetInfo &) __asm__("askasm_validate");
// Its compiler found that the parser is not used there and left the argument out.
void convert(unsigned, MCInst &, unsigned, const OperandsImpl &) __asm__("askasm_convert");
bool showError(MCTargetAsmParser *, SMLoc, unsigned, uint64_t, OperandsImpl &) __asm__("askasm_show");

// The rows of conversions; question C writes its own.
extern unsigned char Conversions[][15] __asm__("askasm_conversions");

// The sets of features that rows of forms want; question N writes its own.
extern FeatureBitset FeatureSets[] __asm__("askasm_features");

namespace {

struct State {
  const Target *T;
  Triple TT{"aarch64-linux-gnu"};
  std::unique_ptr<MCRegisterInfo> MRI;
  std::unique_ptr<MCAsmInfo> MAI;
  std::unique_ptr<MCInstrInfo> MII;
  std::unique_ptr<MCSubtargetInfo> STI;
  MCTargetOptions Opts;
  std::string Error;
  unsigned Classes;
};

void onDiag(const SMDiagnostic &D, void *P) {
  auto *S = static_cast<State *>(P);
  if (S->Error.empty() && D.getKind() == SourceMgr::DK_Error)
    S->Error = std::to_string(D.getColumnNo()) + " " + D.getMessage().str();
}

// One parser for each text, since lexers begin with one.
struct Parsing {
  SourceMgr SM;
  std::unique_ptr<MCContext> Ctx;
  std::unique_ptr<MCObjectFileInfo> MOFI;
  std::unique_ptr<MCStreamer> Str;
  std::unique_ptr<MCAsmParser> P;
  std::unique_ptr<MCTargetAsmParser> TAP;
  Operands Ops;
  const char *Begin;
  Parsing(State &S, StringRef Text) {
    SM.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(Text.str() + "\n"), SMLoc());
    Begin = SM.getMemoryBuffer(1)->getBufferStart();
    SM.setDiagHandler(onDiag, &S);
    Ctx = std::make_unique<MCContext>(S.TT, S.MAI.get(), S.MRI.get(), S.STI.get(), &SM, &S.Opts);
    MOFI.reset(S.T->createMCObjectFileInfo(*Ctx, false));
    Ctx->setObjectFileInfo(MOFI.get());
    Str.reset(createNullStreamer(*Ctx));
    S.T->createNullTargetStreamer(*Str);
    Str->initSections(false, *S.STI);
    P.reset(createMCAsmParser(SM, *Ctx, *Str, *S.MAI));
    TAP.reset(S.T->createMCAsmParser(*S.STI, *P, *S.MII, S.Opts));
    P->setTargetParser(*TAP);
    P->Lex();
  }
};

void printOperand(const MCOperand &O, const MCRegisterInfo &MRI, const MCAsmInfo &MAI) {
  if (O.isReg())
    outs() << " r:" << (O.getReg() ? MRI.getName(O.getReg()) : "none");
  else if (O.isImm())
    outs() << " i:" << O.getImm();
  else if (O.isExpr()) {
    outs() << " e:";
    MAI.printExpr(outs(), *O.getExpr());
  } else
    outs() << " ?";
}

} // namespace

int main(int argc, char **argv) {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmParser();
  State S;
  S.Classes = argc > 1 ? atoi(argv[1]) : 0;
  std::string Why;
  S.T = TargetRegistry::lookupTarget(S.TT, Why);
  if (!S.T) {
    errs() << Why << "\n";
    return 1;
  }
  S.MRI.reset(S.T->createMCRegInfo(S.TT));
  S.MAI.reset(S.T->createMCAsmInfo(*S.MRI, S.TT, S.Opts));
  S.MII.reset(S.T->createMCInstrInfo());
  S.STI.reset(S.T->createMCSubtargetInfo(S.TT, "", "+all"));
  uintptr_t Page = uintptr_t(&Conversions) & ~uintptr_t(4095);
  if (mprotect((void *)Page, uintptr_t(&Conversions) + 16 - Page, PROT_READ | PROT_WRITE)) {
    errs() << "the rows of conversions cannot be written\n";
    return 1;
  }
  Page = uintptr_t(FeatureSets) & ~uintptr_t(4095);
  unsigned NumSets = argc > 2 ? atoi(argv[2]) : 0;
  if (mprotect((void *)Page, uintptr_t(FeatureSets + NumSets) - Page, PROT_READ | PROT_WRITE)) {
    errs() << "the sets of features cannot be written\n";
    return 1;
  }
  std::unique_ptr<Parsing> Last;
  std::string Line;
  while (std::getline(std::cin, Line)) {
    StringRef L(Line);
    char Q = L.empty() ? ' ' : L[0];
    StringRef Rest = L.size() > 2 ? L.substr(2) : "";
    S.Error.clear();
    if (Q == 'F') {
      S.STI.reset(S.T->createMCSubtargetInfo(S.TT, "", Rest));
      Last = std::make_unique<Parsing>(S, "nop");
      const FeatureBitset &B = Last->TAP->getAvailableFeatures();
      for (unsigned I = 0; I < B.size(); ++I)
        if (B[I])
          outs() << I << " ";
      outs() << "\n";
    } else if (Q == 'I') {
      Last.reset();
      Last = std::make_unique<Parsing>(S, Rest);
      AsmToken Tok = Last->P->getTok();
      StringRef Name = Tok.getIdentifier();
      SMLoc At = Tok.getLoc();
      Last->P->Lex();
      ParseInstructionInfo Info;
      std::string Lower = Name.lower();
      bool Bad = Last->TAP->parseInstruction(Info, Lower, At, Last->Ops);
      Last->P->printPendingErrors();
      if (Bad || !S.Error.empty()) {
        outs() << "error " << S.Error << "\n";
        Last->Ops.clear();
      }
      for (auto &O : Last->Ops) {
        const char *At = O->getStartLoc().getPointer();
        outs() << (O->isToken() ? "t " : "o ") << (At ? At - Last->Begin : -1);
        for (unsigned K = 1; K < S.Classes; ++K) {
          unsigned R = validate(*O, K, *S.STI);
          if (R != MCTargetAsmParser::Match_Success) {
            unsigned R2 = Last->TAP->validateTargetOperandClass(*O, K);
            if (R2 == MCTargetAsmParser::Match_Success)
              R = R2;
          }
          if (R != MCTargetAsmParser::Match_InvalidOperand)
            outs() << " " << K << ":" << R;
        }
        outs() << "\n";
      }
    } else if (Q == 'C' && Last) {
      std::istringstream In(Rest.str());
      unsigned K, N;
      while (In >> K >> N) {
        MCInst I;
        I.setLoc(SMLoc());
        Conversions[0][0] = K;
        Conversions[0][1] = N;
        Conversions[0][2] = 0;
        convert(0, I, 0, Last->Ops);
        outs() << K << ":" << N;
        for (auto &O : I)
          printOperand(O, *S.MRI, *S.MAI);
        outs() << "\n";
      }
    } else if (Q == 'W') {
      Last.reset();
      Last = std::make_unique<Parsing>(S, "nop");
      unsigned N;
      if (Rest.getAsInteger(10, N))
        N = 0;
      Operands Ops;
      showError(Last->TAP.get(), Last->P->getTok().getLoc(), N, 0, Ops);
      Last->P->printPendingErrors();
      outs() << (S.Error.empty() ? "?" : S.Error) << "\n";
    }
    else if (Q == 'N') {
      Last.reset();
      Last = std::make_unique<Parsing>(S, "add x0, x0, x0");
      AsmToken Tok = Last->P->getTok();
      SMLoc At = Tok.getLoc();
      Last->P->Lex();
      ParseInstructionInfo Info;
      Last->TAP->parseInstruction(Info, "add", At, Last->Ops);
      unsigned N = 0;
      Rest.getAsInteger(10, N);
      std::vector<FeatureBitset> Saved(FeatureSets, FeatureSets + NumSets);
      FeatureBitset Only;
      Only.set(N);
      std::fill(FeatureSets, FeatureSets + NumSets, Only);
      Last->TAP->setAvailableFeatures(FeatureBitset());
      unsigned Op;
      uint64_t Info2;
      Last->TAP->matchAndEmitInstruction(At, Op, Last->Ops, *Last->Str, Info2, false);
      Last->P->printPendingErrors();
      std::copy(Saved.begin(), Saved.end(), FeatureSets);
      outs() << S.Error << "\n";
    }
    outs() << ".\n";
    outs().flush();
  }
  return 0;
}
