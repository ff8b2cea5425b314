/* void h(int signal, siginfo_t *about, ucontext_t *context): the handler of SIGSYS. seccomp.py contains it as machine
   code; a test assembles this file and compares.
   It has two cells of 64 bits: the number of the first refused call plus one (0: none), and whether the next refused
   call is permitted. A permitted call is repeated with the secret as sixth argument; any other call fails with EPERM.
   0x1111111111111111 and 0x2222222222222222 stand for the address of the cells and for the secret. */
.text
.globl h
h:
 movabsq $0x1111111111111111, %rcx
 movslq 24(%rsi), %rax
 cmpq $0, 8(%rcx)
 jne 1f
 movq $-1, 144(%rdx)
 cmpq $0, (%rcx)
 jne 2f
 incq %rax
 movq %rax, (%rcx)
2: retq
1: movq $0, 8(%rcx)
 pushq %rdx
 movq 104(%rdx), %rdi
 movq 112(%rdx), %rsi
 movq 56(%rdx), %r10
 movq 40(%rdx), %r8
 movabsq $0x2222222222222222, %r9
 movq 136(%rdx), %rdx
 syscall
 popq %rdx
 movq %rax, 144(%rdx)
 retq
