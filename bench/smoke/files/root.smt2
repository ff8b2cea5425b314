(set-logic QF_FP)
(declare-fun x () (_ FloatingPoint 8 24))
(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 8 24) RNE 2.25)))
(check-sat)
