// askobjectanswers.h: members of Subtarget that answer the questions of askobject.h.

  ObjectSide &object() {
    if (!Obj.Asm)
      Obj.open(T, *STI, *MRI, Opts, *Ctx, *MII);
    return Obj;
  }

  // 'M': lines of "name=value" about assembly and objects.
  void machine(Out &O) {
    ObjectSide &S = object();
    std::string R;
    raw_string_ostream OS(R);
    auto Str = [&](const char *Name, const char *V) { OS << Name << '='; printEscapedString(V ? V : "", OS); OS << '\n'; };
    auto Num = [&](const char *Name, uint64_t V) { OS << Name << '=' << V << '\n'; };
    Str("comment", MAI->getCommentString().str().c_str());
    Str("separator", MAI->getSeparatorString());
    Str("labelsuffix", MAI->getLabelSuffix());
    Str("privateglobal", MAI->getPrivateGlobalPrefix().str().c_str());
    Str("privatelabel", MAI->getPrivateLabelPrefix().str().c_str());
    Str("data8", MAI->getData8bitsDirective());
    Str("data16", MAI->getData16bitsDirective());
    Str("data32", MAI->getData32bitsDirective());
    Str("data64", MAI->getData64bitsDirective());
    Str("zero", MAI->getZeroDirective());
    Str("ascii", MAI->getAsciiDirective());
    Str("asciz", MAI->getAscizDirective());
    Str("global", MAI->getGlobalDirective());
    Str("weak", MAI->getWeakDirective());
    Num("alignisbytes", MAI->getAlignmentIsInBytes());
    Num("textfill", MAI->getTextAlignFillValue());
    Num("commalignbytes", MAI->getCOMMDirectiveAlignmentIsInBytes());
    Num("lcommalign", MAI->getLCOMMDirectiveAlignmentType());
    Num("bssbysection", MAI->usesELFSectionDirectiveForBSS());
    Num("sunstyle", MAI->usesSunStyleELFSectionSwitchSyntax());
    Num("dollarispc", MAI->getDollarIsPC());
    Num("dollarstarts", MAI->doesAllowDollarAtStartOfIdentifier());
    Num("atinname", MAI->doesAllowAtInName());
    Num("useat", MAI->useAtForSpecifier());
    Num("useparens", MAI->useParensForSpecifier());
    Num("motorola", MAI->shouldUseMotorolaIntegers());
    Num("logicalshr", MAI->shouldUseLogicalShr());
    Num("dwarfregnum", MAI->useDwarfRegNumForCFI());
    Num("mininstalign", MAI->getMinInstAlignment());
    Num("maxinst", MAI->getMaxInstLength(STI.get()));
    Num("pointer", MAI->getCodePointerSize());
    Num("slot", MAI->getCalleeSaveStackSlotSize());
    Num("stackup", MAI->isStackGrowthDirectionUp());
    Num("big", !MAI->isLittleEndian());
    Num("ehcfi", MAI->usesCFIForEH());
    Num("cfiwithouteh", MAI->usesCFIWithoutEH());
    Num("fdeabsdiff", MAI->doDwarfFDESymbolsUseAbsDiff());
    Num("stacknote", MAI->getStackSection(*Ctx, false) != nullptr);
    Num("minnop", S.AB ? S.AB->getMinimumNopSize() : 0);
    Num("rareg", MRI->getRARegister() ? MRI->getDwarfRegNum(MRI->getRARegister(), true) : -1);
    for (const MCCFIInstruction &C : MAI->getInitialFrameState())
      OS << "cfi=" << unsigned(C.getOperation()) << ' ' << (C.getOperation() == MCCFIInstruction::OpDefCfaOffset ? 0 : C.getRegister()) << ' '
         << (C.getOperation() == MCCFIInstruction::OpDefCfaRegister ? 0 : C.getOffset()) << '\n';
    Num("fdeencoding", MOFI->getFDEEncoding());
    Num("textalign", MOFI->getTextSectionAlignment());
    if (auto *E = static_cast<MCSectionELF *>(MOFI->getEHFrameSection()))
      Num("ehtype", E->getType()), Num("ehflags", E->getFlags());
    if (S.EW) {
      Num("machine", S.EW->getEMachine());
      Num("rela", S.EW->hasRelocationAddend());
      Num("class64", S.EW->is64Bit());
      Num("osabi", S.EW->getOSABI());
      Num("abiversion", S.EW->getABIVersion());
    }
    OS.flush();
    O.u32(R.size());
    O.B += R;
  }

  // 'S': the specifiers of the numbers from one to another: those written behind '@' (form 0), then those that expressions
  // have around a symbol (form 1): number and text of one of symbol "sym".
  void specifiers(unsigned From, unsigned To, Out &O) {
    Out Rows;
    unsigned N = 0;
    std::vector<std::pair<unsigned, std::string>> At;
    for (auto &E : MAI->AtSpecifierToName)
      if (E.first >= From && E.first < To)
        At.push_back({E.first, E.second.str()});
    std::sort(At.begin(), At.end());
    for (auto &E : At)
      Rows.u8(0), Rows.u32(E.first), Rows.str(E.second), ++N;
    const MCExpr *Sym = MCSymbolRefExpr::create(Ctx->getOrCreateSymbol("sym"), *Ctx);
    for (unsigned K = From; K < To; ++K) {
      ShortStream OS;
      Errors = false;
      const MCSpecifierExpr *E = MCSpecifierExpr::create(Sym, K, *Ctx);
      if (!guarded([&] { MAI->printSpecifierExpr(OS, *E); }) || Errors)
        continue;
      if (OS.S.size() > 80 || OS.S.find("sym") == std::string::npos || OS.S == "(sym)" ||
          StringRef(OS.S).ends_with("@") || OS.S.find('<') != std::string::npos)
        continue;
      Rows.u8(1), Rows.u32(K), Rows.str(OS.S), ++N;
    }
    O.u32(N);
    O.B += Rows.B;
  }

  // 'P': one instruction: status, bytes, fixups with their values.
  void probe(In &I, Out &O) {
    MCInst MI;
    read(I, MI);
    ObjectSide &S = object();
    SmallVector<char, 64> Bytes;
    SmallVector<MCFixup, 4> Fixups;
    Errors = false;
    bool OK = CE && guarded([&] { CE->encodeInstruction(MI, Bytes, Fixups, *STI); });
    if (!OK || Errors || Bytes.size() > 64 || Fixups.size() > 8) {
      O.u8(OK ? Refused : Crashed);
      return;
    }
    bool Wrong = false; // places given as numbers beside the one that is asked about
    erase_if(Fixups, [&](const MCFixup &F) { return settled(F, Bytes, Wrong); });
    Out R;
    for (const MCFixup &F : Fixups) {
      MCValue V;
      bool Plain = false;
      OK = guarded([&] { Plain = F.getValue()->evaluateAsRelocatable(V, S.Asm.get()); }) && OK;
      R.u8(F.getOffset());
      R.u16(F.getKind());
      R.u8((F.isPCRel() ? 1 : 0) | (F.isLinkerRelaxable() ? 2 : 0) | (Plain ? 4 : 0) | (V.getAddSym() ? 8 : 0) | (V.getSubSym() ? 16 : 0));
      R.u64(V.getConstant());
      R.u32(V.getSpecifier());
    }
    O.u8(OK ? Right : Crashed);
    if (!OK)
      return;
    O.u8(Bytes.size());
    O.B.append(Bytes.data(), Bytes.size());
    O.u8(Fixups.size());
    O.B += R.B;
  }

  // 'B': kind, flags (1 pc-relative, 2 resolved, 4 linker-relaxable), what symbol, specifier, number of
  // values and the values: for each the status, the error's words, the relocations
  // made, and what zeros and ones become.
  void applied(In &I, Out &O) {
    ObjectSide &S = object();
    unsigned Kind = I.get(2), Flags = I.get(1), Sym = I.get(1), Spec = I.get(4);
    for (unsigned N = I.get(2); N; --N) {
      uint64_t V = I.get(8);
      uint8_t Zeros[32] = {}, Ones[32];
      memset(Ones, 0xff, sizeof Ones);
      MCFixup F = MCFixup::create(0, MCSymbolRefExpr::create(S.Far, *Ctx), MCFixupKind(Kind), Flags & 1);
      if (Flags & 4)
        F.setLinkerRelaxable();
      Errors = false;
      Message.clear();
      S.Rec->Rows.clear();
      bool OK = S.AB && guarded([&] {
        S.AB->applyFixup(*S.Frag, F, S.value(Sym, Spec), Zeros, V, Flags & 2);
        auto Rows = S.Rec->Rows;
        bool E = Errors;
        std::string M = Message;
        S.AB->applyFixup(*S.Frag, F, S.value(Sym, Spec), Ones, V, Flags & 2);
        S.Rec->Rows = Rows, Errors = E, Message = M;
      });
      if (OK && !Errors && !S.Asm->PendingErrors.empty()) {
        Errors = true;
        Message = S.Asm->PendingErrors[0].second;
      }
      S.Asm->PendingErrors.clear();
      O.u8(!OK ? Crashed : Errors ? Refused : Right);
      O.str(Message);
      O.u8(S.Rec->Rows.size());
      for (auto &R : S.Rec->Rows) {
        O.u16(R.Kind);
        O.u32(R.Spec);
        O.u8((R.A ? 1 : 0) | (R.B ? 2 : 0) | (R.PCRel ? 4 : 0));
        O.u8(R.Offset);
      }
      O.B.append(reinterpret_cast<char *>(Zeros), 16);
      O.B.append(reinterpret_cast<char *>(Ones), 16);
    }
  }

  // 'T': kind, pc-relative, what symbol, specifier: status, the error's words, the
  // relocation's type, whether it names its symbol (1) and makes it thread-local (2).
  void relocation(In &I, Out &O) {
    ObjectSide &S = object();
    unsigned Kind = I.get(2), PCRel = I.get(1), Sym = I.get(1), Spec = I.get(4);
    MCFixup F = MCFixup::create(0, MCSymbolRefExpr::create(S.Far, *Ctx), MCFixupKind(Kind), PCRel);
    Errors = false;
    Message.clear();
    unsigned Type = 0;
    unsigned Names = 0;
    auto *Sym2 = static_cast<MCSymbolELF *>(S.Far);
    Sym2->setType(ELF::STT_NOTYPE);
    bool OK = S.EW && guarded([&] {
      MCValue V = S.value(Sym, Spec);
      Type = S.EW->getRelocType(F, V, PCRel);
      Names = S.EW->needsRelocateWithSymbol(V, Type);
      Names |= Sym2->getType() == ELF::STT_TLS ? 2 : 0;
    });
    if (OK && !Errors && !S.Asm->PendingErrors.empty()) {
      Errors = true;
      Message = S.Asm->PendingErrors[0].second;
    }
    if (S.Asm)
      S.Asm->PendingErrors.clear();
    O.u8(!OK ? Crashed : Errors ? Refused : Right);
    O.str(Message);
    O.u32(Type);
    O.u8(Names);
  }

  // 'N': a number: the bytes that do nothing of each length up to it.
  void nops(In &I, Out &O) {
    ObjectSide &S = object();
    unsigned Max = I.get(2);
    for (unsigned N = 1; N <= Max; ++N) {
      ShortStream OS;
      bool Fine = false;
      bool OK = S.AB && guarded([&] { Fine = S.AB->writeNopData(OS, N, STI.get()); });
      O.u8(OK && Fine && OS.S.size() == N ? Right : Refused);
      O.str(OS.S);
    }
  }

  void write(Out &O, const MCOperand &P) {
    if (P.isReg())
      O.u8(KindReg), O.u64(P.getReg().id());
    else if (P.isImm())
      O.u8(KindImm), O.u64(P.getImm());
    else
      O.u8(P.isExpr() ? KindSym : KindNone), O.u64(0);
  }

  // 'X': one instruction: whether it may need a longer form, and what that is.
  void longer(In &I, Out &O) {
    ObjectSide &S = object();
    MCInst MI;
    read(I, MI);
    bool May = false;
    bool OK = S.AB && guarded([&] { May = S.AB->mayNeedRelaxation(MI.getOpcode(), MI.getOperands(), *STI); });
    unsigned Was = MI.getOpcode();
    if (OK && May)
      OK = guarded([&] { S.AB->relaxInstruction(MI, *STI); });
    if (!OK || !May || MI.getNumOperands() > 30) {
      O.u8(OK ? Refused : Crashed);
      return;
    }
    O.u8(Right);
    O.u8(MI.getOpcode() != Was);
    O.u16(MI.getOpcode());
    O.u8(MI.getNumOperands());
    for (const MCOperand &P : MI)
      write(O, P);
  }

  // 'Y': kind, what symbol, specifier, resolved, values: whether each asks for the longer form.
  void reach(In &I, Out &O) {
    ObjectSide &S = object();
    unsigned Kind = I.get(2), Sym = I.get(1), Spec = I.get(4), Resolved = I.get(1);
    MCFixup F = MCFixup::create(0, MCSymbolRefExpr::create(S.Far, *Ctx), MCFixupKind(Kind), true);
    for (unsigned N = I.get(2); N; --N) {
      uint64_t V = I.get(8);
      bool Needs = false;
      bool OK = S.AB && guarded([&] { Needs = S.AB->fixupNeedsRelaxationAdvanced(*S.Frag, F, S.value(Sym, Spec), V, Resolved); });
      O.u8(OK ? Needs : 2);
    }
  }
