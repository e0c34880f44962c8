package family

// InfoKind is the form of the value of a field of machineFunctionInfo.
type InfoKind uint8

// The forms.
const (
	InfoInt InfoKind = iota
	InfoBool
	InfoString
	InfoStrings  // flow sequence of strings
	InfoList     // the same, an element a line
	InfoMap      // nested fields
	InfoArgument // argument descriptor: a flow mapping
	InfoIntMap   // numbers to numbers
)

// InfoField is one field of a target's machineFunctionInfo.
type InfoField struct {
	Key  string
	Kind InfoKind
	// Default is the value that LLVM gives it when it is not written.
	Default string
	// Optional: a field that is not written is not printed.
	Optional bool
	// Always: written with -simplify-mir too, though it has the default value.
	Always bool
	Sub    []InfoField
}

var amdgpuArguments = []InfoField{
	{Key: "privateSegmentBuffer", Kind: InfoArgument, Optional: true},
	{Key: "dispatchPtr", Kind: InfoArgument, Optional: true},
	{Key: "queuePtr", Kind: InfoArgument, Optional: true},
	{Key: "kernargSegmentPtr", Kind: InfoArgument, Optional: true},
	{Key: "dispatchID", Kind: InfoArgument, Optional: true},
	{Key: "flatScratchInit", Kind: InfoArgument, Optional: true},
	{Key: "privateSegmentSize", Kind: InfoArgument, Optional: true},
	{Key: "workGroupIDX", Kind: InfoArgument, Optional: true},
	{Key: "workGroupIDY", Kind: InfoArgument, Optional: true},
	{Key: "workGroupIDZ", Kind: InfoArgument, Optional: true},
	{Key: "workGroupInfo", Kind: InfoArgument, Optional: true},
	{Key: "LDSKernelId", Kind: InfoArgument, Optional: true},
	{Key: "privateSegmentWaveByteOffset", Kind: InfoArgument, Optional: true},
	{Key: "implicitArgPtr", Kind: InfoArgument, Optional: true},
	{Key: "implicitBufferPtr", Kind: InfoArgument, Optional: true},
	{Key: "workItemIDX", Kind: InfoArgument, Optional: true},
	{Key: "workItemIDY", Kind: InfoArgument, Optional: true},
	{Key: "workItemIDZ", Kind: InfoArgument, Optional: true},
	{Key: "firstKernArgPreloadReg", Kind: InfoArgument, Optional: true},
}

var amdgpuMode = []InfoField{
	{Key: "ieee", Kind: InfoBool, Default: "true"},
	{Key: "dx10-clamp", Kind: InfoBool, Default: "true"},
	{Key: "fp32-input-denormals", Kind: InfoBool, Default: "true"},
	{Key: "fp32-output-denormals", Kind: InfoBool, Default: "true"},
	{Key: "fp64-fp16-input-denormals", Kind: InfoBool, Default: "true"},
	{Key: "fp64-fp16-output-denormals", Kind: InfoBool, Default: "true"},
}

var amdgpuInfo = []InfoField{
	{Key: "explicitKernArgSize", Default: "0"},
	{Key: "maxKernArgAlign", Default: "1", Always: true},
	{Key: "ldsSize", Default: "0"},
	{Key: "gdsSize", Default: "0"},
	{Key: "dynLDSAlign", Default: "1"},
	{Key: "isEntryFunction", Kind: InfoBool, Default: "false"},
	{Key: "isChainFunction", Kind: InfoBool, Default: "false"},
	{Key: "noSignedZerosFPMath", Kind: InfoBool, Default: "false"},
	{Key: "memoryBound", Kind: InfoBool, Default: "false"},
	{Key: "waveLimiter", Kind: InfoBool, Default: "false"},
	{Key: "hasSpilledSGPRs", Kind: InfoBool, Default: "false"},
	{Key: "hasSpilledVGPRs", Kind: InfoBool, Default: "false"},
	{Key: "numWaveDispatchSGPRs", Default: "0"},
	{Key: "numWaveDispatchVGPRs", Default: "0"},
	{Key: "scratchRSrcReg", Kind: InfoString, Default: "$private_rsrc_reg"},
	{Key: "frameOffsetReg", Kind: InfoString, Default: "$fp_reg"},
	{Key: "stackPtrOffsetReg", Kind: InfoString, Default: "$sp_reg"},
	{Key: "bytesInStackArgArea", Default: "0"},
	{Key: "returnsVoid", Kind: InfoBool, Default: "true"},
	{Key: "argumentInfo", Kind: InfoMap, Sub: amdgpuArguments},
	{Key: "psInputAddr", Default: "0"},
	{Key: "psInputEnable", Default: "0"},
	{Key: "maxMemoryClusterDWords", Default: "8"},
	{Key: "mode", Kind: InfoMap, Sub: amdgpuMode},
	{Key: "highBitsOf32BitAddress", Default: "0"},
	{Key: "occupancy", Default: "0"},
	{Key: "spillPhysVGPRs", Kind: InfoList, Optional: true},
	{Key: "wwmReservedRegs", Kind: InfoList, Optional: true},
	{Key: "scavengeFI", Kind: InfoString, Optional: true},
	{Key: "vgprForAGPRCopy", Kind: InfoString},
	{Key: "sgprForEXECCopy", Kind: InfoString},
	{Key: "longBranchReservedReg", Kind: InfoString},
	{Key: "hasInitWholeWave", Kind: InfoBool, Default: "false"},
	{Key: "dynamicVGPRBlockSize", Default: "0"},
	{Key: "scratchReservedForDynamicVGPRs", Default: "0"},
	{Key: "numKernargPreloadSGPRs", Default: "0"},
	{Key: "isWholeWaveFunction", Kind: InfoBool, Default: "false"},
}
