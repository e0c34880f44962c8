// Machine models: what each scheduling class costs on each processor. Classes
// that depend on operands are resolved by asking about instructions whose
// operands are varied one by one.
#include "sched.h"
#include "machine.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/MC/MCInstrItineraries.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <csetjmp>
#include <random>
#include <set>

namespace facts {
namespace {

// What a choice asks about the instruction; desc.SchedPredKind has the same list.
enum PredKind { PredText, PredSame, PredImm, PredReg, PredOpcode, PredCount };
using Pred = std::array<uint32_t, 6>;      // kind, operand, operand, first in sets, length, text of .td files
using Choice = std::array<uint32_t, 3>;    // class, first predicate, number
using Condition = std::vector<Pred>;       // all hold
using Cases = std::vector<std::pair<Condition, unsigned>>; // the first that holds gives the class

// Immediates are asked about one by one in this range; others are as its ends.
constexpr int ImmMin = -2, ImmMax = 512;

struct Builder {
  const Family &Fam;
  std::vector<const MCSchedModel *> Models;
  Machine M;
  const TargetSubtargetInfo *STI = nullptr;
  const TargetInstrInfo *TII = nullptr;
  const TargetRegisterInfo *TRI = nullptr;
  Names Nm;
  unsigned NumClasses = 0;

  using Row = std::array<uint32_t, 10>; // as desc.SchedClassDesc, in the order of its encoding
  std::map<Row, unsigned> RowNum;
  std::vector<Row> Rows;
  std::vector<uint16_t> RowOf; // [model*NumClasses+class]
  std::vector<std::array<int32_t, 7>> Resources;
  std::vector<uint16_t> SubUnits;
  Pool<std::array<uint16_t, 3>> Uses, Advances;
  Pool<std::array<uint16_t, 2>> Latencies;
  Pool<Choice> Choices;
  Pool<Pred> Preds;
  Pool<uint16_t> Sets;

  std::map<std::array<uint32_t, 5>, unsigned> ItinNum;
  std::vector<std::array<uint32_t, 5>> Itins; // micro-operations, stages, cycles
  std::vector<uint16_t> ItinOf;               // [itineraries of a model+class]
  Pool<std::array<uint64_t, 4>> Stages;
  Pool<std::array<uint16_t, 2>> Cycles;
  std::set<std::string> Open; // opcodes whose cases do not tell the class

  Builder(const Family &F, std::vector<const MCSchedModel *> L) : Fam(F), Models(std::move(L)) {
    std::string Error;
    if (!M.open(F.Variants[0], Error))
      report_fatal_error(StringRef(Error));
    STI = M.STI;
    TII = STI->getInstrInfo();
    TRI = STI->getRegisterInfo();
    Row None{};
    None[0] = MCSchedClassDesc::InvalidNumMicroOps;
    row(None); // row 0 is known
  }

  // A processor with the model, null for one that no processor has.
  const char *processor(const MCSchedModel *SM) const {
    for (const SubtargetSubTypeKV &D : STI->getAllProcessorDescriptions())
      if (D.SchedModel == SM)
        return D.Key;
    return nullptr;
  }

  unsigned row(const Row &R) {
    auto [It, New] = RowNum.try_emplace(R, Rows.size());
    if (New)
      Rows.push_back(R);
    return It->second;
  }

  Row cost(const MCSchedClassDesc &D) {
    Row R{};
    R[0] = D.NumMicroOps;
    if (!D.isValid() || D.isVariant())
      return R;
    R[1] = D.BeginGroup | D.EndGroup << 1 | D.RetireOOO << 2;
    std::vector<std::array<uint16_t, 3>> U, A;
    std::vector<std::array<uint16_t, 2>> L;
    // Resource 0 is LLVM's invalid one and left out.
    for (const MCWriteProcResEntry *I = STI->getWriteProcResBegin(&D), *E = STI->getWriteProcResEnd(&D); I != E; ++I)
      U.push_back({uint16_t(I->ProcResourceIdx - 1), I->ReleaseAtCycle, I->AcquireAtCycle});
    for (unsigned I = 0; I < D.NumWriteLatencyEntries; ++I) {
      const MCWriteLatencyEntry *W = STI->getWriteLatencyEntry(&D, I);
      L.push_back({uint16_t(W->Cycles), W->WriteResourceID});
    }
    for (const MCReadAdvanceEntry &E : STI->getReadAdvanceEntries(D))
      A.push_back({uint16_t(E.UseIdx), uint16_t(E.WriteResourceID), uint16_t(int16_t(E.Cycles))});
    R[2] = U.size();
    R[3] = Uses.add(U);
    R[4] = Latencies.add(L);
    R[5] = Advances.add(A);
    R[6] = L.size();
    R[7] = A.size();
    return R;
  }

  void model(const MCSchedModel &SM, Buf &B) {
    const char *CPU = processor(&SM);
    unsigned FirstRes = Resources.size(), FirstRow = RowOf.size(), NumRes = 0, FirstItin = 0;
    bool HasItins = false;
    if (SM.hasInstrSchedModel()) {
      NumRes = SM.getNumProcResourceKinds() - 1;
      for (unsigned I = 1; I <= NumRes; ++I) {
        const MCProcResourceDesc *P = SM.getProcResource(I);
        unsigned First = SubUnits.size();
        for (unsigned K = 0; P->SubUnitsIdxBegin && K < P->NumUnits; ++K)
          if (unsigned U = P->SubUnitsIdxBegin[K] - 1; SubUnits.size() == First || SubUnits.back() != U)
            SubUnits.push_back(U);
        Resources.push_back({int32_t(Nm.add(P->Name)), int32_t(P->NumUnits), int32_t(P->SuperIdx), P->BufferSize,
                             int32_t(SubUnits.size() - First), int32_t(First)});
      }
      variants(SM, CPU);
    }
    if (CPU) {
      InstrItineraryData IID = STI->getInstrItineraryForCPU(CPU);
      HasItins = !IID.isEmpty();
      FirstItin = ItinOf.size();
      // Classes that were made for variants have none.
      bool End = !HasItins;
      for (unsigned C = 0; HasItins && C < NumClasses; ++C) {
        End = End || IID.isEndMarker(C);
        ItinOf.push_back(End ? 0 : 1 + itinerary(IID, C));
      }
    }
    B.u32(CPU ? Nm.add(CPU) : 0);
    for (unsigned V : {SM.IssueWidth, SM.MicroOpBufferSize, SM.LoopMicroOpBufferSize, SM.LoadLatency, SM.HighLatency, SM.MispredictPenalty})
      B.i16(V);
    B.u8(SM.PostRAScheduler | SM.CompleteModel << 1 | SM.EnableIntervals << 2);
    B.u8(!SM.hasInstrSchedModel() | HasItins << 1);
    B.u32(FirstRes);
    B.u16(NumRes);
    B.u32(FirstRow);
    B.u32(FirstItin);
  }

  unsigned itinerary(const InstrItineraryData &D, unsigned C) {
    const InstrItinerary &I = D.Itineraries[C];
    std::vector<std::array<uint64_t, 4>> S;
    std::vector<std::array<uint16_t, 2>> Cy;
    for (unsigned K = I.FirstStage; K < I.LastStage; ++K) {
      const InstrStage &X = D.Stages[K];
      S.push_back({X.Units_, X.Cycles_, uint64_t(uint16_t(X.NextCycles_)), uint64_t(X.Kind_)});
    }
    for (unsigned K = I.FirstOperandCycle; K < I.LastOperandCycle; ++K)
      Cy.push_back({uint16_t(D.OperandCycles[K]), uint16_t(D.Forwardings[K])});
    std::array<uint32_t, 5> R{uint16_t(I.NumMicroOps), Stages.add(S), uint32_t(S.size()), Cycles.add(Cy), uint32_t(Cy.size())};
    auto [It, New] = ItinNum.try_emplace(R, Itins.size());
    if (New)
      Itins.push_back(R);
    return It->second;
  }

  // The costs of all classes of a model; those that depend on operands become
  // lists of cases.
  void variants(const MCSchedModel &SM, const char *CPU) {
    unsigned First = RowOf.size();
    std::map<unsigned, std::map<Cases, std::vector<uint16_t>>> ByClass;
    TargetSchedModel TSM;
    if (CPU && !subtarget(SM, CPU, TSM)) {
      errs() << Fam.Name << ": no subtarget has the machine model of " << CPU << "\n";
      CPU = nullptr;
    }
    for (unsigned C = 0; C < NumClasses; ++C)
      RowOf.push_back(row(cost(*SM.getSchedClassDesc(C))));
    for (unsigned Op = 0; CPU && Op < TII->getNumOpcodes(); ++Op)
      if (unsigned C = TII->get(Op).getSchedClass(); SM.getSchedClassDesc(C)->isVariant() && Op > TargetOpcode::GENERIC_OP_END)
        ByClass[C][cases(SM, TSM, Op)].push_back(Op);
    for (auto &[C, Lists] : ByClass) {
      const Cases *Most = nullptr;
      for (auto &[L, Ops] : Lists)
        if (!Most || Ops.size() > Lists[*Most].size())
          Most = &L;
      std::vector<Choice> Out;
      auto Add = [&](Condition Cond, unsigned To) {
        Out.push_back({To, Preds.add(Cond), uint32_t(Cond.size())});
      };
      for (auto &[L, Ops] : Lists) {
        if (&L == Most)
          continue;
        Pred P{PredOpcode, 0, 0, Sets.add(Ops), uint32_t(Ops.size()), 0};
        for (auto [Cond, To] : L) {
          Cond.insert(Cond.begin(), P);
          Add(Cond, To);
        }
      }
      for (const auto &[Cond, To] : *Most)
        Add(Cond, To);
      Row R{};
      R[0] = MCSchedClassDesc::VariantNumMicroOps;
      R[5] = Choices.add(Out);
      R[8] = Out.size();
      RowOf[First + C] = row(R);
    }
  }

  // A subtarget that is tuned for a processor: without being of it where the target
  // takes that, since many do not go with the family's first triple.
  bool subtarget(const MCSchedModel &SM, const char *CPU, TargetSchedModel &TSM) {
    for (const Variant &V : Fam.Variants)
      for (const char *Name : {V.CPU, CPU}) {
        Machine *Of = new Machine; // LLVM may die in it
        std::string Error;
        if (setjmp(Died))
          continue;
        if (!Of->open({V.Triple, Name, V.Features}, Error))
          report_fatal_error(StringRef(Error));
        Function *Fn = Of->function(CallingConv::C, "tuned");
        Fn->addFnAttr("tune-cpu", CPU);
        const TargetSubtargetInfo *S = Of->TM->getSubtargetImpl(*Fn);
        if (&S->getSchedModel() == &SM) {
          TSM.init(S);
          return true;
        }
      }
    return false;
  }

  // What an operand can be: another register of its own, the one that operand Same
  // has, a named one (0: none), or an immediate.
  struct Value {
    enum { Own, SameAs, Named, Imm } Kind;
    int64_t V;
  };

  // The instruction that is varied, and what its operands can be.
  MachineInstr *MI = nullptr;
  std::vector<Register> Own; // by operand
  std::vector<std::vector<Value>> Values;
  void set(unsigned I, const Value &V) {
    MachineOperand &O = MI->getOperand(I);
    if (V.Kind == Value::Imm)
      O.setImm(V.V);
    else
      O.setReg(V.Kind == Value::Own ? Own[I] : V.Kind == Value::SameAs ? MI->getOperand(V.V).getReg() : Register(V.V));
  }
  void set(const std::vector<Value> &L) {
    for (unsigned I = 0; I < L.size(); ++I)
      set(I, L[I]);
  }
  // Whether the value of operand I says two things, since a third operand is that
  // register too, or is named.
  bool taken(unsigned I, const Value &V) const {
    if (V.Kind != Value::SameAs && (V.Kind != Value::Named || !V.V))
      return false;
    Register R = V.Kind == Value::SameAs ? MI->getOperand(V.V).getReg() : Register(V.V);
    if (V.Kind == Value::SameAs && !R.isVirtual())
      return true;
    for (unsigned K = 0; K < Values.size(); ++K)
      if (K != I && (V.Kind != Value::SameAs || K != V.V) && MI->getOperand(K).isReg() && MI->getOperand(K).getReg() == R)
        return true;
    return false;
  }

  // A predicate that says that the instruction is always executed.
  int64_t always() const { return StringRef(Fam.Name) == "ARM" ? 14 : 1; }

  // Makes an instruction with Extra operands behind the declared ones. The first
  // value of an operand is the plain one, which it has now.
  MachineBasicBlock *build(unsigned Op, unsigned Extra) {
    const MCInstrDesc &D = TII->get(Op);
    MachineRegisterInfo &MRI = M.MF->getRegInfo();
    MachineBasicBlock *MBB = M.MF->CreateMachineBasicBlock();
    M.MF->push_back(MBB);
    MachineInstrBuilder Built = BuildMI(*MBB, MBB->end(), DebugLoc(), D);
    MI = Built;
    Own.clear();
    Values.clear();
    for (unsigned I = 0; I < D.getNumOperands(); ++I) {
      int Class = TII->getOpRegClassID(D.operands()[I]);
      Values.emplace_back();
      Own.push_back(Register());
      if (Class < 0) {
        int64_t Plain = D.operands()[I].isPredicate() ? always() : 1;
        Built.addImm(Plain);
        Values[I].push_back({Value::Imm, Plain});
        if (Plain)
          Values[I].push_back({Value::Imm, 0});
        for (int V = ImmMax; V >= ImmMin; --V)
          if (V != Plain && V)
            Values[I].push_back({Value::Imm, V});
        continue;
      }
      Own[I] = MRI.createVirtualRegister(TRI->getRegClass(Class));
      Values[I].push_back({Value::Own, 0});
      // Parts of addresses may be none, operands of their own that are no option are not.
      if (D.operands()[I].isPredicate() || D.operands()[I].isOptionalDef() || D.operands()[I].OperandType != MCOI::OPERAND_REGISTER)
        Values[I].push_back({Value::Named, 0});
      const TargetRegisterClass *RC = TRI->getRegClass(Class);
      for (bool Constant : {true, false}) // registers that are zero come first
        for (unsigned K = 0; RC->getNumRegs() <= 128 && K < RC->getNumRegs(); ++K)
          if (TRI->isConstantPhysReg(RC->getRegister(K)) == Constant)
            Values[I].push_back({Value::Named, RC->getRegister(K).id()});
      for (unsigned K = 0; K < I; ++K)
        if (Own[K] && TRI->getCommonSubClass(TRI->getRegClass(Class), M.MF->getRegInfo().getRegClass(Own[K])))
          Values[I].push_back({Value::SameAs, K});
      Built.addReg(Own[I], getDefRegState(I < D.getNumDefs()));
    }
    for (unsigned K = 0; K < Extra; ++K)
      Built.addReg(D.getNumOperands() ? Own.back() : Register());
    return MBB;
  }

  static void ranges(const std::vector<int> &Vals, std::vector<uint16_t> &Out) {
    for (size_t I = 0; I < Vals.size();) {
      size_t K = I;
      while (K + 1 < Vals.size() && Vals[K + 1] == Vals[K] + 1)
        ++K;
      Out.push_back(uint16_t(int16_t(Vals[I])));
      Out.push_back(uint16_t(int16_t(Vals[K])));
      I = K + 1;
    }
  }

  // LLVM dies of an instruction that none of its cases is made for.
  static jmp_buf Died;
  static constexpr unsigned NoClass = 0;
  unsigned resolve(const MCSchedModel &SM, const TargetSchedModel &TSM) {
    if (setjmp(Died))
      return NoClass;
    return TSM.resolveSchedClass(MI) - SM.getSchedClassDesc(0);
  }

  // How the class of an opcode follows from its operands: values of an operand
  // that no instruction of a sample tells apart are taken together, and every way
  // to combine such groups is asked about.
  Cases cases(const MCSchedModel &SM, const TargetSchedModel &TSM, unsigned Op) {
    MachineBasicBlock *MBB = build(Op, 0);
    auto Ask = [&] { return resolve(SM, TSM); };
    unsigned N = Values.size(), Plain = Ask();
    std::mt19937 Rnd(1);
    auto Any = [&](unsigned I) -> const Value & {
      // Zero and what is zero are what cases ask about mostly.
      size_t N = Values[I].size();
      return Values[I][Rnd() % 2 ? 0 : Rnd() % (Rnd() % 2 ? std::min<size_t>(N, 4) : N)];
    };
    std::vector<std::vector<std::vector<Value>>> Groups(N); // the first one has the plain value
    std::vector<std::map<std::vector<unsigned>, unsigned>> Seen(N);
    std::vector<std::vector<std::vector<unsigned>>> Sign(N);
    for (unsigned I = 0; I < N; ++I)
      Sign[I].resize(Values[I].size());
    for (unsigned Round = 0; Round < 160; ++Round) {
      std::vector<Value> Now;
      for (unsigned I = 0; I < N; ++I)
        Now.push_back(Round ? Any(I) : Values[I][0]);
      for (unsigned I = 0; I < N; ++I) {
        Value Was = Now[I];
        for (size_t K = 0; K < Values[I].size(); ++K) {
          Now[I] = Values[I][K];
          set(Now);
          Sign[I][K].push_back(taken(I, Now[I]) ? Sign[I][0].back() : Ask());
        }
        Now[I] = Was;
      }
    }
    std::vector<unsigned> Matter; // operands
    size_t Ways = 1;
    for (unsigned I = 0; I < N; ++I) {
      for (size_t K = 0; K < Values[I].size(); ++K) {
        auto [It, New] = Seen[I].try_emplace(Sign[I][K], Groups[I].size());
        if (New)
          Groups[I].emplace_back();
        Groups[I][It->second].push_back(Values[I][K]);
      }
      if (Groups[I].size() > 1) {
        Matter.push_back(I);
        Ways *= Groups[I].size();
      }
    }
    for (unsigned I = 0; I < N; ++I)
      set(I, Values[I][0]);
    Cases Out;
    if (Ways <= 1000)
      combine(Groups, Matter, 0, {}, Ask, Out);
    else
      Out.push_back({{}, Plain});
    for (unsigned Round = 0; Round < 2000; ++Round) {
      for (unsigned I = 0; I < N; ++I)
        set(I, Any(I));
      if (Ask() != answer(Out)) {
        if (verbose())
          MI->print(errs());
        Open.insert(TII->getName(Op).str());
        break;
      }
    }
    M.MF->erase(MBB);
    if (TII->get(Op).isVariadic() && N) {
      // Lists of registers: the class may follow from their number.
      std::map<unsigned, std::vector<int>> Counts;
      for (unsigned X = 1; X <= 33; ++X) {
        MBB = build(Op, X);
        if (unsigned C = Ask(); C != Plain)
          Counts[C].push_back(N + X);
        M.MF->erase(MBB);
      }
      if (Counts.size() && Out.size() > 1)
        Open.insert(TII->getName(Op).str());
      for (auto &[C, Vals] : Counts) {
        std::vector<uint16_t> R;
        ranges(Vals, R);
        Out.insert(Out.begin(), {{Pred{PredCount, 0, 0, Sets.add(R), uint32_t(R.size()), 0}}, C});
      }
    }
    return Out;
  }

  // Asks about every way to combine the groups of operands Matter[At:].
  template <typename F>
  void combine(const std::vector<std::vector<std::vector<Value>>> &Groups, const std::vector<unsigned> &Matter, size_t At,
               const Condition &Cond, F Ask, Cases &Out) {
    if (At == Matter.size()) {
      Out.push_back({Cond, Ask()});
      return;
    }
    unsigned I = Matter[At];
    size_t From = Out.size();
    // Named registers come before the same ones: two operands can be zero.
    for (size_t K = 1; K <= Groups[I].size(); ++K) {
      size_t G = K % Groups[I].size();
      set(I, Groups[I][G][0]);
      std::vector<Condition> Conds;
      if (G == 0)
        Conds.push_back(Cond);
      else
        conditions(I, Groups[I][G], Cond, Conds);
      for (const Condition &C : Conds)
        combine(Groups, Matter, At + 1, C, Ask, Out);
    }
    set(I, Groups[I][0][0]);
    // What the last case says too need not be said.
    size_t Last = Out.size() - 1, Keep = Last;
    while (Keep > From && Out[Keep - 1].second == Out[Last].second)
      --Keep;
    Out.erase(Out.begin() + Keep, Out.begin() + Last);
  }

  // The conditions, of which one must hold, that operand I has one of the values.
  void conditions(unsigned I, const std::vector<Value> &L, const Condition &Cond, std::vector<Condition> &Out) {
    std::vector<int> Imms;
    std::vector<uint16_t> Regs, Set;
    for (const Value &V : L) {
      if (V.Kind == Value::Imm)
        Imms.push_back(V.V);
      if (V.Kind == Value::Named)
        Regs.push_back(V.V);
      if (V.Kind == Value::Own)
        report_fatal_error("a class is that of a register without a name");
      if (V.Kind == Value::SameAs) {
        Out.push_back(Cond);
        Out.back().push_back(Pred{PredSame, uint32_t(V.V), I, 0, 0, 0});
      }
    }
    llvm::sort(Imms);
    ranges(Imms, Set);
    if (!Set.empty()) {
      Out.push_back(Cond);
      Out.back().push_back(Pred{PredImm, I, 0, Sets.add(Set), uint32_t(Set.size()), 0});
    }
    if (!Regs.empty()) {
      llvm::sort(Regs);
      Out.push_back(Cond);
      Out.back().push_back(Pred{PredReg, I, 0, Sets.add(Regs), uint32_t(Regs.size()), 0});
    }
  }

  bool holds(const Pred &P) {
    const MachineOperand &O = MI->getOperand(P[1]);
    const uint16_t *Set = Sets.Data.data() + P[3];
    if (P[0] == PredSame)
      return O.getReg() == MI->getOperand(P[2]).getReg();
    for (unsigned I = 0; P[0] == PredReg && I < P[4]; ++I)
      if (O.getReg() == Set[I])
        return true;
    for (unsigned I = 0; P[0] == PredImm && I < P[4]; I += 2)
      if (int64_t V = std::clamp<int64_t>(O.getImm(), ImmMin, ImmMax); V >= int16_t(Set[I]) && V <= int16_t(Set[I + 1]))
        return true;
    return false;
  }

  // What the cases say of the instruction.
  unsigned answer(const Cases &L) {
    for (const auto &[Cond, To] : L)
      if (llvm::all_of(Cond, [&](const Pred &P) { return holds(P); }))
        return To;
    return ~0u;
  }

  static bool verbose() { return getenv("LLVMFACTS_VERBOSE") != nullptr; }

  Buf run(const std::vector<const MCSchedModel *> &Defaults) {
    std::vector<uint16_t> Default;
    for (const MCSchedModel *SM : Defaults) {
      size_t N = llvm::find(Models, SM) - Models.begin();
      if (N == Models.size())
        Models.push_back(SM);
      Default.push_back(N);
    }
    for (const MCSchedModel *SM : Models)
      if (SM->hasInstrSchedModel())
        NumClasses = SM->NumSchedClasses;
    for (unsigned Op = 0; Op < TII->getNumOpcodes(); ++Op)
      NumClasses = std::max(NumClasses, TII->get(Op).getSchedClass() + 1);
    install_fatal_error_handler([](void *, const char *Why, bool) {
      if (verbose())
        errs() << Why << "\n";
      longjmp(Died, 1);
    });
    Buf MB;
    MB.u32(Models.size());
    for (const MCSchedModel *SM : Models)
      model(*SM, MB);
    remove_fatal_error_handler();
    return write(MB, Default);
  }

  template <typename L> static void table(Buf &B, const L &Rows, std::initializer_list<int> Sizes) {
    B.u32(Rows.size());
    for (const auto &R : Rows) {
      auto V = R.begin();
      for (int S : Sizes)
        S == 1 ? B.u8(*V++) : S == 2 ? B.u16(uint64_t(*V++) & 0xffff) : S == 4 ? B.u32(*V++) : B.u64(*V++);
    }
  }

  Buf write(const Buf &MB, const std::vector<uint16_t> &Default) {
    Buf B;
    B.u32(Nm.Blob.size());
    B.B.insert(B.B.end(), Nm.Blob.begin(), Nm.Blob.end());
    B.u32(NumClasses);
    B.u32(0); // names of classes, which LLVM's release builds do not have
    B.B.insert(B.B.end(), MB.B.begin(), MB.B.end());
    B.array(Default);
    B.array(RowOf);
    if (Rows.size() > 0xffff || Itins.size() > 0xffff)
      report_fatal_error("too many different costs");
    table(B, Rows, {2, 1, 2, 4, 4, 4, 2, 2, 2});
    table(B, Resources, {4, 2, 2, 2, 2, 4});
    B.array(SubUnits);
    table(B, Uses.Data, {2, 2, 2});
    table(B, Latencies.Data, {2, 2});
    table(B, Advances.Data, {2, 2, 2});
    table(B, Choices.Data, {2, 4, 2});
    table(B, Preds.Data, {1, 1, 1, 4, 2, 4});
    B.array(Sets.Data);
    B.array(ItinOf);
    table(B, Itins, {2, 4, 2, 4, 2});
    table(B, Stages.Data, {8, 2, 2, 1});
    table(B, Cycles.Data, {2, 2});
    B.u32(0); // names of functional units, which the API does not give
    if (verbose())
      errs() << Fam.Name << ": " << Models.size() << " machine models, " << NumClasses << " classes, " << Rows.size() << " costs, "
           << Uses.Data.size() << " uses, " << Latencies.Data.size() << " latencies, " << Advances.Data.size() << " advances, "
           << Choices.Data.size() << " choices, " << Preds.Data.size() << " predicates, " << Itins.size() << " itineraries, " << B.B.size() << " bytes\n";
    for (const std::string &S : Open)
      errs() << "  " << S << " depends on more than is known of its operands\n";
    return B;
  }
};

jmp_buf Builder::Died;

} // namespace

Buf schedTable(const Family &F, std::vector<const MCSchedModel *> Models, const std::vector<const MCSchedModel *> &Defaults) {
  return Builder(F, std::move(Models)).run(Defaults);
}

} // namespace facts
