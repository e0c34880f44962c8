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
