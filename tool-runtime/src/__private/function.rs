//! Functions by their arity, so that one generic call serves every tool.

/// Used by generated code. A function of a tuple.
pub trait Function<Arguments> {
    /// What it returns: a value, or a future of one.
    type Output;
    /// Calls it.
    fn call(self, arguments: Arguments) -> Self::Output;
}

macro_rules! functions {
    ($($argument:ident)*) => {
        impl<Fun: FnOnce($($argument),*) -> Out, Out, $($argument),*> Function<($($argument,)*)> for Fun {
            type Output = Out;
            #[inline]
            fn call(self, arguments: ($($argument,)*)) -> Out {
                let ($($argument,)*) = arguments;
                self($($argument),*)
            }
        }
    };
}

functions!();
functions!(A0);
functions!(A0 A1);
functions!(A0 A1 A2);
functions!(A0 A1 A2 A3);
functions!(A0 A1 A2 A3 A4);
functions!(A0 A1 A2 A3 A4 A5);
functions!(A0 A1 A2 A3 A4 A5 A6);
functions!(A0 A1 A2 A3 A4 A5 A6 A7);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23);
functions!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24);
