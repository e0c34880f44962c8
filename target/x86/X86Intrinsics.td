//===- X86Intrinsics.td - intrinsics that are not learned -----------------===//
//
// What LLVM selects for most intrinsics tools/x86tables has asked it
// (zz_X86Intrinsics.td). Here stand those for which it chooses by the value of a constant.
// What is in neither file is refused by name.
//
//===----------------------------------------------------------------------===//

class RoundIntrinsic<list<ValueType> args>
    : Intrinsic<[LT<args[0]>], !foreach(a, args, LT<a>), [IntrNoMem]>;
def int_x86_sse41_round_ps   : RoundIntrinsic<[v4f32, i32]>;
def int_x86_sse41_round_pd   : RoundIntrinsic<[v2f64, i32]>;
def int_x86_sse41_round_ss   : RoundIntrinsic<[v4f32, v4f32, i32]>;
def int_x86_sse41_round_sd   : RoundIntrinsic<[v2f64, v2f64, i32]>;
def int_x86_avx_round_ps_256 : RoundIntrinsic<[v8f32, i32]>;
def int_x86_avx_round_pd_256 : RoundIntrinsic<[v4f64, i32]>;
def int_x86_sse41_insertps   : RoundIntrinsic<[v4f32, v4f32, i8]>;
let Predicates = [HasSSE41] in {
  def : Pat<(v4f32 (int_x86_sse41_round_ps v4f32:$a, (i32 timm:$i))), (ROUNDPSri $a, $i)>;
  def : Pat<(v2f64 (int_x86_sse41_round_pd v2f64:$a, (i32 timm:$i))), (ROUNDPDri $a, $i)>;
  def : Pat<(v4f32 (int_x86_sse41_round_ss v4f32:$a, v4f32:$b, (i32 timm:$i))), (ROUNDSSri_Int $a, $b, $i)>;
  def : Pat<(v2f64 (int_x86_sse41_round_sd v2f64:$a, v2f64:$b, (i32 timm:$i))), (ROUNDSDri_Int $a, $b, $i)>;
  def : Pat<(v4f32 (int_x86_sse41_insertps v4f32:$a, v4f32:$b, (i8 timm:$i))), (INSERTPSrri $a, $b, $i)>;
}
let Predicates = [HasAVX] in {
  def : Pat<(v8f32 (int_x86_avx_round_ps_256 v8f32:$a, (i32 timm:$i))), (VROUNDPSYri $a, $i)>;
  def : Pat<(v4f64 (int_x86_avx_round_pd_256 v4f64:$a, (i32 timm:$i))), (VROUNDPDYri $a, $i)>;
}

// Bits that stand in a row, by constants that LLVM folds where nothing is left.
def int_x86_tbm_bextri_u32 : RoundIntrinsic<[i32, i32]>;
def int_x86_tbm_bextri_u64 : RoundIntrinsic<[i64, i64]>;
let Predicates = [HasFeature_tbm] in {
  def : Pat<(i32 (int_x86_tbm_bextri_u32 GR32:$a, (i32 timm:$i))), (BEXTRI32ri $a, $i)>;
  def : Pat<(i64 (int_x86_tbm_bextri_u64 GR64:$a, (i64 timm:$i))), (BEXTRI64ri $a, $i)>;
}
def int_x86_sse4a_extrqi : RoundIntrinsic<[v2i64, i8, i8]>;
def int_x86_sse4a_insertqi : RoundIntrinsic<[v2i64, v2i64, i8, i8]>;
let Predicates = [HasFeature_sse4a] in {
  def : Pat<(v2i64 (int_x86_sse4a_extrqi v2i64:$a, (i8 timm:$i), (i8 timm:$j))), (EXTRQI $a, $i, $j)>;
  def : Pat<(v2i64 (int_x86_sse4a_insertqi v2i64:$a, v2i64:$b, (i8 timm:$i), (i8 timm:$j))), (INSERTQI $a, $b, $i, $j)>;
}
