class Set<dag d> { dag Elements = d; }
def add; def sub; def and; def shl; def trunc; def rotl; def rotr; def decimate; def interleave; def sequence;
foreach i = 0...11 in def R#i;
def All : Set<(sequence "R%u", 0, 11)>;
def Back : Set<(sequence "R%u", 5, 2)>;
def Step : Set<(sequence "R%u", 0, 11, 4)>;
def Minus : Set<(sub All, (add R1, Back))>;
def Both : Set<(and All, Back)>;
def Tail : Set<(shl All, 9)>;
def Head : Set<(trunc All, 2)>;
def Left : Set<(rotl Head, 1)>;
def Right : Set<(rotr Back, 1)>;
def Every : Set<(decimate All, 5)>;
def Zip : Set<(interleave Head, Tail)>;
def Empty : Set<(add)>;
