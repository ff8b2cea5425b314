/* void h(int signal, siginfo_t *about, ucontext_t *context): the handler of SIGSYS. seccomp.py contains it as machine
   code; a test assembles this file and compares.
   It has two cells of 64 bits: the number of the first refused call plus one (0: none), and whether the next refused
   call is permitted. A permitted call is repeated with the secret as sixth argument; any other call fails with EPERM.
   0x1111111111111111 and 0x2222222222222222 stand for the address of the cells and for the secret. */
.text
.globl h
h:
 ldr x9, 3f
 ldrsw x8, [x1, #24]
 ldr x10, [x9, #8]
 cbnz x10, 1f
 mov x11, #-1
 str x11, [x2, #184]
 ldr x10, [x9]
 cbnz x10, 2f
 add x8, x8, #1
 str x8, [x9]
2: ret
1: str xzr, [x9, #8]
 mov x12, x2
 ldr x0, [x12, #184]
 ldr x1, [x12, #192]
 ldr x2, [x12, #200]
 ldr x3, [x12, #208]
 ldr x4, [x12, #216]
 ldr x5, 4f
 svc #0
 str x0, [x12, #184]
 ret
.p2align 3
3: .quad 0x1111111111111111
4: .quad 0x2222222222222222
