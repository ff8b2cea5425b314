"""From files to IR: what compiles, and what is said about what does not."""

from __future__ import annotations

import base64
import pickle
import zlib
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from programs import Programs, words_of
from zeroin.cli.main import main
from zeroin.errors import CompileError, MissingDependency, TargetError
from zeroin.languages.c.front.compile import RUNTIME, compile_all, compiler_for
from zeroin.languages.c.front.symbols import functions_of
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Run, Termination

ABOVE = "int f(int x) { if (x > 3) return 1; return 0; }\n"

BARE_IR = """
define i32 @f(i32 %x, double %y) {
  %big = icmp sgt i32 %x, 3
  br i1 %big, label %yes, label %no
yes:
  %z = fptosi double %y to i32
  ret i32 %z
no:
  ret i32 0
}
"""

WITHOUT_ENDS = (
    "c-"
    "l=>U2NOd6(&VVq+|J#a@|I9Nsf#?PYsfcRWer!rNR=uL}`sx$@<^|En?ZO;;fw~*^VtcMIo75sCIf#13l;=18giCGVEbW;R4xa43_A5LMo(AP!vI"
    "H7}ETcWN>05@rD2kupK5_F+x07hu}T;obUV2VNh9E{Xq+cSuhOiw@K}<z4hnc{PbU+z0r6w*@MF~(S~8agFlTX5i^0m4{kEm_DP^(K4E3t-"
    "ivtJ_FW6*<jue6PclC=1ur%R(~P^tLpfgG;|^v*#X(WIkTD-;-"
    "NE*Fg|fH5)O8`typFpE)6_*)XzR{wU`{b;cJ6oW&z*c*X!}Fg1)EbRKY!jC%x2q3r@Q}vx018BRhl!1J382Xyu$2Lj+vaT*hd0}H5oZY&CI94=?4"
    "2LFrUQB;n1Fjj_xH(FxWvgx0+nRMHYAD#eS=4lbU`hX@@P?bJ7P3g#6ed&#0YO$cbKZBB7m+X`OxASWKH*&^kTj#1-"
    "<_WSTl5D92t)Vy$A&kL;_L4!!ZGFJ3jZv{2IJ{S;1N-(CWK;ms3W*#BMa$wh0b{CfcJEdev$bn^w9)83QIHgp_cGAkdyY+}p-"
    "<7W#P&|+5|7*>b%FqLE%>uj_I_h%GOTF(ZP<Ya;zEyQh`7=52XyGeA|7Uat%?#3(|l`KzRQ(vqS{)*zy68>r;I~F6)Q{-"
    "ewi^a&P7%`sEVuI$Z+R;`H)g^jZqStoNP8c0#7P(cCy)AO(2p^R`lIK-<S@F&hzIoM`Cgkc)%XlAoeu#W!NE-"
    "p0)M7a;)<=%J$nnP(2s@F~PE%Ukp^X%@$wKPDgB|pshW@dDwj`pzGRv;dvel<{CBj}8*~JuhJ!1VTr+6!hxA4?n(>-"
    "~`lOg21{(U&~$+Y|>As2PqU(af>UTq|%jt!9s;KiYh&1lXWKc*jG^usV(&!M$0x-"
    "OtCs6udYD<!@h;BSfSN{U~pvFmm2?>HZIob(ixqnA{<8gBn@A${6Jf=m=n_Uz_p0|EXg{PhTXSL9Yp+=n=CBrI|}5$l^jS3Ol-E-HQi<Vo4LuE-"
    "g1_3U5vK&9FQ<U^5DE^?%hdV7sQTMK9-j2=mCrCR}hy}tK$om+(jLQc7;`sdUa)4C_Cc&obaTFG0{p+;XdG#95x$SMv1_G-"
    ">=me5uoeZOYi5$Fwx-Vo@2hS4yC)+7Y(qnh<z4XuaKW2x<LTM@RL;%?XXZi(Ec$SsN-FnCw|PE`1%Jg@k#5#GG&t@h3X`%vr@<QdW?Vw&^wJ7`;?"
    ">os(*i@rAlr|38_3i@|wrwbqz1L3h{pfZ&XcxyU9=Le>$U5hi^^;xbK;8#m*w0%HAb%S3Tf^0~NsGf6>qap3|jP^ki_Fm27zO3%c>z-"
    "xhD9EV_h}lBo^T7xYsop4Yr&2A^o--2K7U=DobvsP&8llie&AKVj^<^mbS6%A(5IIR{&Qq<|bQyGbS@Bc>L&BR=eO1B-VCHq(v8E-"
    "EE+}f2{V>Hp#DT}9t5#4T!~rf2H+MR;SdyH&LQcAXveI0@QzYbh-SfocpVyD(A-"
    "ACwf%_Wg0lg&vu+(I*Z_K^lLNC4oYvY~~7igTE>WviuR|697vOc}ZF3mRG4HzxBX#j6%=Y=C{edtaYBuTFu!ldtn(QYxBG7dL7CZWZj>7_SzN%zd"
    "*@@3VZ*G=z1^RX*+c12*<BZj@3;>!_sd6um_BRNvS>0JN@a7v=a%rmepUw8o8+t5HdP%VS9pzkY$e82@;Zb7t2sT*xDMvL6*qw8RyFK<~N<>>nY+"
    "Fn4$yt&C>nAMo)Ro`V*z61?O_-9lfG-FOTFo?J?tOM3IDpNEjTLaujHY8Kn)G}ZesIov!3x(-LYQce1Cc~i~{@WO2&Cc{*s>G-"
    "!EFdw3?heZH$AD}41=|%zdmj_dC2g&{4a#z^X2dk+_g=}Ii7=%BOJJb66vHexd+bq!_nS-a(y76wz@Qx;BZ!-}?}bCQ;(;aR+o2nW`A-"
    ";g6*2qLCXM*t^LOBzMH_h#`IzC44n*F6cQigS7InK1y?jVYcsfsa9yxe!_`TtuO$;A=|LpL&#KAMe=X|4MBWH)tylU+E50Be(`~"
)


def test_what_the_compiler_says_is_kept(programs: Programs) -> None:
    path = programs.write("int f(int x)\n{\n    return y +;\n}\n")
    with pytest.raises(CompileError) as caught:
        compile_all([path])
    assert str(caught.value) == f"{path}: does not compile"
    assert f"{path}:3:15: error: expected expression" in caught.value.output
    assert f"{path}:3:12: error: use of undeclared identifier 'y'" in caught.value.output


def test_a_compile_error_travels_between_processes() -> None:
    copy = pickle.loads(pickle.dumps(CompileError("a.c: does not compile", "a.c:1: error")))
    assert (type(copy), str(copy), copy.output) == (CompileError, "a.c: does not compile", "a.c:1: error")


def test_a_later_file_is_blamed_itself(programs: Programs) -> None:
    good, bad = programs.write(ABOVE), programs.write("int g(void) { return 1 }\n")
    with pytest.raises(CompileError, match=r"program\.c: does not compile") as caught:
        compile_all([good, bad])
    assert str(caught.value).startswith(str(bad))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"nothing\.c: no such file"):
        compile_all([tmp_path / "nothing.c"])


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="no such file"):
        compile_all([tmp_path])


def test_file_of_another_kind(programs: Programs) -> None:
    path = programs.write("print(1)\n", "program.py")
    with pytest.raises(TargetError, match=r"program\.py: not a C, C\+\+ or LLVM IR file"):
        compile_all([path])


def test_results_are_in_the_order_of_the_files(programs: Programs) -> None:
    paths = [programs.write(f"int number{n}(void) {{ return {n}; }}\n") for n in range(3)]
    texts = compile_all(paths)
    assert [text.count(f"@number{n}(") for n, text in enumerate(texts)] == [1, 1, 1]


def test_flags_reach_the_compiler_but_not_the_runtime(programs: Programs) -> None:
    path = programs.write("int f(int x) { if (x > LIMIT) return 1; return 0; }\n#define int broken\n")
    subject = LlvmSubject(path, "f", LlvmOptions(cc=("-DLIMIT=7", "-std=c99", "-include", "limits.h")))
    assert (subject.replay((7,)).result, subject.replay((8,)).result) == (0, 1)
    with pytest.raises(CompileError) as caught:
        compile_all([path, *RUNTIME])
    assert "LIMIT" in caught.value.output


def test_the_compiler_can_be_named() -> None:
    with pytest.raises(MissingDependency, match="no compiler 'no-such-compiler' on PATH"):
        compiler_for(Path("a.c"), ["no-such-compiler", "-O1"])
    command, flags = compiler_for(Path("a.c"), ["true", "-O1"])
    assert (command, flags) == (["true"], ["-O1"])


@pytest.mark.parametrize(("name", "driver"), [("a.c", "cc"), ("a.cc", "c++"), ("a.cpp", "c++"), ("a.C", "c++")])
def test_the_language_follows_from_the_name(name: str, driver: str) -> None:
    command, flags = compiler_for(Path(name), ["-DX"])
    assert (command[-1], flags) == (driver, ["-DX"])


def test_a_compiler_that_writes_nothing_is_an_error(programs: Programs) -> None:
    with pytest.raises(CompileError, match="does not compile"):
        compile_all([programs.write(ABOVE)], ["true"])


def test_cxx(programs: Programs) -> None:
    text = """
    namespace shapes {
    template <typename T> T twice(T x) { return x + x; }
    struct Counter { int n = 0; Counter(int k) { n = k; } ~Counter() { n = 0; } int next() { return ++n; } };
    bool f(double x, int &y) { Counter c(y); y = c.next(); return twice(x) > 3.0 && y != 5; }
    }
    """
    subject = programs.load(text, name=".cpp")
    assert subject.language == "c"
    words = words_of(subject.signature, 2.0, [1])
    assert subject.replay(words) == subject.observe(words)
    assert (subject.replay(words).result, subject.replay(words).outputs) == (1, ((2,),))
    assert subject.replay(words_of(subject.signature, 2.0, [4])).result == 0


@pytest.mark.parametrize("name", ["program.ll", "program.bc"])
def test_ir_with_debug_info(programs: Programs, tmp_path: Path, name: str) -> None:
    (text,) = compile_all([programs.write(ABOVE)])
    path = tmp_path / name
    path.write_bytes(text.encode() if name.endswith("ll") else llvm.parse_assembly(text).as_bitcode())
    subject = LlvmSubject(path, "f")
    assert subject.language == "llvm"
    assert subject.signature.parameters[0].name == "x"
    assert [(s.condition, s.line) for s in subject.sites] == [("x > 3", 1)]
    assert [subject.replay((x,)).result for x in (3, 4)] == [0, 1]


def test_ir_without_debug_info(programs: Programs) -> None:
    subject = programs.load(BARE_IR, name=".ll")
    assert [(p.name, p.type) for p in subject.signature.parameters] == [("arg1", "i32"), ("arg2", "double")]
    assert [(s.condition, s.line) for s in subject.sites] == [("icmp sgt i32 %x, 3", 0)]
    words = words_of(subject.signature, 4, 9.0)
    assert subject.run(words) == Run(words, Termination.RETURNED, frozenset({0}))
    assert subject.replay(words).result == 9


@pytest.mark.parametrize("name", ["program.ll", "program.bc"])
def test_files_that_are_not_ir(programs: Programs, name: str) -> None:
    path = programs.write("hello", name)
    with pytest.raises(CompileError, match=r"is not LLVM IR that LLVM \d+ can read") as caught:
        compile_all([path])
    assert caught.value.output


def test_bitcode_that_is_read_and_makes_no_sense(programs: Programs) -> None:
    """Its blocks have no ends."""
    path = programs.write("", "blocks.bc")
    path.write_bytes(zlib.decompress(base64.b85decode(WITHOUT_ENDS)))
    with pytest.raises(CompileError, match=r"is not LLVM IR that LLVM \d+ can read") as caught:
        compile_all([path])
    assert "terminator" in caught.value.output


def test_functions_of_a_file_are_those_it_defines(programs: Programs) -> None:
    header = programs.write("static inline int from_header(int x) { return x; }\n", "header.h")
    text = f'#include "{header}"\nstatic int a(int x) {{ return from_header(x); }}\nint b(int x) {{ return a(x); }}\n'
    path = programs.write(text + "int main(void) { return b(1); }\n")
    assert functions_of(path, compile_all([path])) == ["a", "b"]


def test_old_c_is_c_too(programs: Programs) -> None:
    subject = programs.load("f(x) { if (x == 3) return helper(x); return 0; }\nhelper(x) int x; { return x + 1; }\n")
    assert [subject.replay((x,)).result for x in (3, 4)] == [4, 0]


def test_functions_that_a_file_alone_passes_over_are_named(
    programs: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    path = programs.write(ABOVE + "int g(int n, ...) { return n; }\nint main(void) { return f(3); }\n")
    assert main(["show", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "int f(int x)" in out
    assert err.splitlines() == [
        "zeroin: g: takes a variable number of arguments, which is not supported",
        f"zeroin: {path}: main is skipped; to cover it, name it: {path}:main",
    ]
