/* void h(int signal, siginfo_t *about, ucontext_t *context), the handler of SIGSYS (seccomp.py has it as machine code; a
   test assembles this and compares). There are two cells: the number, plus one, of the first call that was stopped, and
   whether the next one is made after all, with the secret as its sixth argument. Else it fails with EPERM. */
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
