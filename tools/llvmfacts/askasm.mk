# What tools/asmtables asks: make -f askasm.mk all. Of LLVM's static libraries the object file of AArch64's
# assembly parser is taken, and the functions get names that can be linked to.
LLVM_CONFIG ?= llvm-config-22
BUILD ?= /tmp/llvmfacts-build
CXX ?= g++
LIB := $(shell $(LLVM_CONFIG) --libdir)
OBJECT := $(BUILD)/AArch64AsmParser.cpp.o

BASE := $(BUILD)/AArch64BaseInfo.cpp.o

all: $(BUILD)/llvmaskasm $(BASE)

$(BASE):
	@mkdir -p $(BUILD)
	cd $(BUILD) && ar x $(LIB)/libLLVMAArch64Utils.a $(notdir $@)

$(BUILD)/llvmaskasm: askasm.cpp $(OBJECT)
	nm $(OBJECT) | awk '/20validateOperandClass.*SubtargetInfoE$$/{print $$3, "askasm_validate"} /14showMatchError/{print $$3, "askasm_show"} \
		/15convertToMCInstE/{print $$3, "askasm_convert"} /15ConversionTable/{print $$3, "askasm_conversions"} /14FeatureBitsets/{print $$3, "askasm_features"}' > $(BUILD)/askasm.syms
	objcopy --redefine-syms $(BUILD)/askasm.syms $(OBJECT) $(BUILD)/askasm-named.o
	objcopy $(addprefix --globalize-symbol askasm_,validate show convert conversions features) $(BUILD)/askasm-named.o $(BUILD)/askasm-parser.o
	$(CXX) -O1 -fno-rtti -DNDEBUG $(shell $(LLVM_CONFIG) --cxxflags) -c $< -o $(BUILD)/askasm.o
	$(CXX) $(BUILD)/askasm.o $(BUILD)/askasm-parser.o -o $@ -L$(LIB) $(shell $(LLVM_CONFIG) --link-static --libs aarch64asmparser aarch64desc aarch64info mcparser mc) -lrt -ldl -lm -lz -l:libzstd.so.1

$(OBJECT):
	@mkdir -p $(BUILD)
	cd $(BUILD) && ar x $(LIB)/libLLVMAArch64AsmParser.a $(notdir $@)
