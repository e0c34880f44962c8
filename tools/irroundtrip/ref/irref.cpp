#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>
using namespace llvm;
// reads lines "in\tout"; writes out.ll (accepted), out.err (rejected: first line parse|verify|crash)
static void die(std::string out, const char *kind, std::string msg){
  std::ofstream o(out+".err"); o<<kind<<"\n"<<msg; o.close(); _exit(0);
}
static void child(std::string in, std::string out){
  LLVMContext C;
  std::string warn;
  raw_string_ostream W(warn);
  struct H : DiagnosticHandler { raw_ostream&W; H(raw_ostream&W):W(W){} bool handleDiagnostics(const DiagnosticInfo&D) override { DiagnosticPrinterRawOStream P(W); D.print(P); W<<"\n"; return true; } };
  C.setDiagnosticHandler(std::make_unique<H>(W));
  auto B=MemoryBuffer::getFile(in);
  if(!B) die(out,"io","");
  SMDiagnostic E;
  MemoryBufferRef R((*B)->getBuffer(),"<stdin>");
  ModuleSummaryIndex Index(true);
  auto M=std::make_unique<Module>("<stdin>",C);
  auto MI=std::unique_ptr<Module>();
  if(parseAssemblyInto(R,M.get(),&Index,E,nullptr,[](StringRef,StringRef){return std::nullopt;})){
    std::string s; raw_string_ostream O(s); E.print("llvm-as",O,false); die(out,"parse",s); }
  {
    std::string s; raw_string_ostream O(s);
    if(verifyModule(*M,&O)) die(out,"verify",s);
    if(verifyModule(*M,&O)) die(out,"verify",s);
  }
  SmallVector<char,0> Buf; raw_svector_ostream BO(Buf);
  ModuleSummaryIndex*IP=&Index;
  if(Index.modulePaths().empty()&&Index.begin()==Index.end()) IP=nullptr;
  WriteBitcodeToFile(*M,BO,true,IP);
  LLVMContext C2; C2.setDiagnosticHandler(std::make_unique<H>(W));
  auto M2=parseBitcodeFile(MemoryBufferRef(StringRef(Buf.data(),Buf.size()),"<stdin>"),C2);
  if(!M2){ consumeError(M2.takeError()); std::error_code ec; raw_fd_ostream O(out+".ll",ec); M->removeDebugIntrinsicDeclarations(); M->print(O,nullptr,false); O.close(); _exit(0); }
  (*M2)->removeDebugIntrinsicDeclarations();
  std::error_code ec; raw_fd_ostream O(out+".ll",ec);
  (*M2)->print(O,nullptr,false);
  O.close();
  if(!warn.empty()){ std::ofstream o(out+".warn"); o<<warn; }
  _exit(0);
}
int main(){
  std::string l;
  while(std::getline(std::cin,l)){
    auto t=l.find('\t'); std::string in=l.substr(0,t), out=l.substr(t+1);
    pid_t p=fork();
    if(!p){ alarm(20); child(in,out); }
    int st; waitpid(p,&st,0);
    if(!WIFEXITED(st)||WEXITSTATUS(st)){ std::ofstream o(out+".err"); o<<"crash\n"; }
  }
}
