"""C, C++ and LLVM IR. Source files are compiled to LLVM IR by Clang, and everything else works on that."""
