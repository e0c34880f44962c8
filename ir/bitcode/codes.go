package bitcode

// Blocks.
const (
	blkModule          = 8
	blkParamAttr       = 9
	blkParamAttrGroup  = 10
	blkConstants       = 11
	blkFunction        = 12
	blkIdentification  = 13
	blkValueSymtab     = 14
	blkMetadata        = 15
	blkMetadataAttach  = 16
	blkType            = 17
	blkUseList         = 18
	blkModuleStrtab    = 19
	blkSummary         = 20
	blkBundleTags      = 21
	blkMetadataKind    = 22
	blkStrtab          = 23
	blkFullLTOSummary  = 24
	blkSymtab          = 25
	blkSyncScopes      = 26
	identString        = 1
	identEpoch         = 2
	currentEpoch       = 0
	strtabBlob         = 1
	wrapperMagic       = 0x0B17C0DE
	wrapperHeaderBytes = 20
)

// Records of the module block.
const (
	modVersion    = 1
	modTriple     = 2
	modDataLayout = 3
	modAsm        = 4
	modSection    = 5
	modDepLib     = 6
	modGlobalVar  = 7
	modFunction   = 8
	modAliasOld   = 9
	modGC         = 11
	modComdat     = 12
	modVSTOffset  = 13
	modAlias      = 14
	modSourceFile = 16
	modHash       = 17
	modIFunc      = 18
)

// Records of the type block.
const (
	typNumEntry    = 1
	typVoid        = 2
	typFloat       = 3
	typDouble      = 4
	typLabel       = 5
	typOpaque      = 6
	typInteger     = 7
	typPointer     = 8
	typFuncOld     = 9
	typHalf        = 10
	typArray       = 11
	typVector      = 12
	typX86FP80     = 13
	typFP128       = 14
	typPPCFP128    = 15
	typMetadata    = 16
	typX86MMX      = 17
	typStructAnon  = 18
	typStructName  = 19
	typStructNamed = 20
	typFunc        = 21
	typToken       = 22
	typBFloat      = 23
	typX86AMX      = 24
	typOpaquePtr   = 25
	typTarget      = 26
)

// Records of the constants block.
const (
	cstSetType       = 1
	cstNull          = 2
	cstUndef         = 3
	cstInteger       = 4
	cstWideInteger   = 5
	cstFloat         = 6
	cstAggregate     = 7
	cstString        = 8
	cstCString       = 9
	cstBinop         = 10
	cstCast          = 11
	cstGEPOld        = 12
	cstSelect        = 13
	cstExtractElt    = 14
	cstInsertElt     = 15
	cstShuffleVec    = 16
	cstCmp           = 17
	cstAsmOld        = 18
	cstShuffleVecEx  = 19
	cstInboundsGEP   = 20
	cstBlockAddress  = 21
	cstData          = 22
	cstAsmOld2       = 23
	cstGEPInRangeOld = 24
	cstUnop          = 25
	cstPoison        = 26
	cstDSOLocalEq    = 27
	cstAsmOld3       = 28
	cstNoCFI         = 29
	cstAsm           = 30
	cstGEPInRange    = 31
	cstGEP           = 32
	cstPtrAuth       = 33
	cstPtrAuth2      = 34
)

// Records of the function block.
const (
	fnDeclareBlocks    = 1
	fnBinop            = 2
	fnCast             = 3
	fnGEPOld           = 4
	fnSelect           = 5
	fnExtractElt       = 6
	fnInsertElt        = 7
	fnShuffleVec       = 8
	fnCmp              = 9
	fnRet              = 10
	fnBr               = 11
	fnSwitch           = 12
	fnInvoke           = 13
	fnUnreachable      = 15
	fnPhi              = 16
	fnAlloca           = 19
	fnLoad             = 20
	fnVAArg            = 23
	fnStoreOld         = 24
	fnExtractVal       = 26
	fnInsertVal        = 27
	fnCmp2             = 28
	fnVSelect          = 29
	fnInboundsGEPOld   = 30
	fnIndirectBr       = 31
	fnDebugLocAgain    = 33
	fnCall             = 34
	fnDebugLoc         = 35
	fnFence            = 36
	fnCmpXchgOld       = 37
	fnAtomicRMWOld     = 38
	fnResume           = 39
	fnLandingPadOld    = 40
	fnLoadAtomic       = 41
	fnStoreAtomicOld   = 42
	fnGEP              = 43
	fnStore            = 44
	fnStoreAtomic      = 45
	fnCmpXchg          = 46
	fnLandingPad       = 47
	fnCleanupRet       = 48
	fnCatchRet         = 49
	fnCatchPad         = 50
	fnCleanupPad       = 51
	fnCatchSwitch      = 52
	fnBundle           = 55
	fnUnop             = 56
	fnCallBr           = 57
	fnFreeze           = 58
	fnAtomicRMW        = 59
	fnBlockAddrUsers   = 60
	fnDbgValue         = 61
	fnDbgDeclare       = 62
	fnDbgAssign        = 63
	fnDbgValueSimple   = 64
	fnDbgLabel         = 65
	fnDbgDeclareValue  = 66
	callTail           = 0
	callCC             = 1
	callMustTail       = 14
	callExplicitType   = 15
	callNoTail         = 16
	callFMF            = 17
	bundleMetadataFlag = 0x80000000
)

// Records of the metadata blocks.
const (
	mdStringOld    = 1
	mdValue        = 2
	mdNode         = 3
	mdName         = 4
	mdDistinct     = 5
	mdKind         = 6
	mdLocation     = 7
	mdOldNode      = 8
	mdOldFnNode    = 9
	mdNamedNode    = 10
	mdAttachment   = 11
	mdGenericDebug = 12
	mdSubrange     = 13
	mdEnumerator   = 14
	mdBasicType    = 15
	mdFile         = 16
	mdDerivedType  = 17
	mdComposite    = 18
	mdSubroutine   = 19
	mdCompileUnit  = 20
	mdSubprogram   = 21
	mdLexBlock     = 22
	mdLexBlockFile = 23
	mdNamespace    = 24
	mdTemplateType = 25
	mdTemplateVal  = 26
	mdGlobalVar    = 27
	mdLocalVar     = 28
	mdExpression   = 29
	mdObjCProperty = 30
	mdImported     = 31
	mdModule       = 32
	mdMacro        = 33
	mdMacroFile    = 34
	mdStrings      = 35
	mdGlobalAttach = 36
	mdGlobalVarExp = 37
	mdIndexOffset  = 38
	mdIndex        = 39
	mdLabel        = 40
	mdStringType   = 41
	mdCommonBlock  = 44
	mdGenericRange = 45
	mdArgList      = 46
	mdAssignID     = 47
	mdSubrangeType = 48
	mdFixedPoint   = 49
)

// Records of the symbol tables.
const (
	vstEntry    = 1
	vstBBEntry  = 2
	vstFnEntry  = 3
	vstCombined = 5
)
