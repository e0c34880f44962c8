// askobject.h: the questions about objects that llvmask answers (ask.cpp lists
// their frames): assembly and machine, names of specifiers, what fixups are made,
// what they write, which relocations they become, longer forms, and no-operations.
// Included where Subtarget and its helpers are.

// A writer of objects that notes what would be relocations.
struct Recorder : MCObjectWriter {
  struct Row {
    unsigned Kind, Spec;
    bool A, B, PCRel;
    uint32_t Offset;
  };
  std::vector<Row> Rows;
  void recordRelocation(const MCFragment &, const MCFixup &F, MCValue V, uint64_t &) override {
    Rows.push_back({unsigned(F.getKind()), V.getSpecifier(), V.getAddSym() != nullptr, V.getSubSym() != nullptr, F.isPCRel(), F.getOffset()});
  }
  uint64_t writeObject() override { return 0; }
};

// An assembler around a second backend of the subtarget: questions about fixups
// need one that can be asked where labels are.
struct ObjectSide {
  std::unique_ptr<MCAssembler> Asm;
  Recorder *Rec = nullptr;
  MCAsmBackend *AB = nullptr;
  std::unique_ptr<MCObjectTargetWriter> OTW;
  MCELFObjectTargetWriter *EW = nullptr;
  MCSectionELF *Text = nullptr;
  MCFragment *Frag = nullptr;
  MCSymbol *Local = nullptr, *Far = nullptr;

  void open(const Target *T, const MCSubtargetInfo &STI, const MCRegisterInfo &MRI, const MCTargetOptions &Opts, MCContext &Ctx, const MCInstrInfo &MII) {
    auto Rec0 = std::make_unique<Recorder>();
    Rec = Rec0.get();
    std::unique_ptr<MCAsmBackend> B(T->createMCAsmBackend(STI, MRI, Opts));
    AB = B.get();
    if (!AB)
      return;
    OTW = AB->createObjectTargetWriter();
    if (OTW->getFormat() == Triple::ELF)
      EW = static_cast<MCELFObjectTargetWriter *>(OTW.get());
    Asm = std::make_unique<MCAssembler>(Ctx, std::move(B), std::unique_ptr<MCCodeEmitter>(T->createMCCodeEmitter(MII, Ctx)), std::move(Rec0));
    AB->setAssembler(Asm.get());
    OTW->setAssembler(Asm.get());
    Rec->setAssembler(Asm.get());
    Text = Ctx.getELFSection(".text", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR);
    Frag = new MCFragment();
    Frag->setParent(Text);
    Frag->setHasInstructions(STI);
    Local = Ctx.getOrCreateSymbol("here");
    Local->setFragment(Frag);
    Local->setOffset(0);
    Far = Ctx.getOrCreateSymbol("far");
    Asm->registerSymbol(*Local);
    Asm->registerSymbol(*Far);
  }

  // The value of a fixup: 0 constant, 1 a label of this section, 2 undefined,
  // 3 a difference of undefined symbols.
  MCValue value(unsigned Sym, unsigned Spec, int64_t C = 0) {
    switch (Sym) {
    case 1: return MCValue::get(Local, nullptr, C, Spec);
    case 2: return MCValue::get(Far, nullptr, C, Spec);
    case 3: return MCValue::get(Far, Local, C, Spec);
    }
    return MCValue::get(nullptr, nullptr, C, Spec);
  }
};
