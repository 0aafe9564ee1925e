MODULE everything;

FROM StrIO IMPORT WriteString, WriteLn;
FROM NumberIO IMPORT WriteInt, WriteCard;
FROM Storage IMPORT ALLOCATE, DEALLOCATE;

CONST
   Last = 999;

TYPE
   Numbers = ARRAY [0..Last] OF INTEGER;
   Small = SET OF [0..31];
   List = POINTER TO Node;
   Node = RECORD
      value: INTEGER;
      next: List
   END;
   Shape = RECORD
      CASE round: BOOLEAN OF
         TRUE: radius: REAL |
         FALSE: width, height: REAL
      END
   END;
   Function = PROCEDURE (INTEGER): INTEGER;

VAR
   numbers: Numbers;
   list: List;
   shape: Shape;

(* An open array, and a procedure inside another that changes its variables. *)
PROCEDURE Sum (a: ARRAY OF INTEGER): INTEGER;
VAR
   i: CARDINAL;
   sum: INTEGER;

   PROCEDURE Add (x: INTEGER);
   BEGIN
      INC(sum, x)
   END Add;

BEGIN
   sum := 0;
   FOR i := 0 TO HIGH(a) DO
      Add(a[i])
   END;
   RETURN sum
END Sum;

PROCEDURE Squared (x: INTEGER): INTEGER;
BEGIN
   RETURN x * x
END Squared;

PROCEDURE Apply (f: Function; VAR a: ARRAY OF INTEGER);
VAR
   i: CARDINAL;
BEGIN
   FOR i := 0 TO HIGH(a) DO
      a[i] := f(a[i]) MOD 1000
   END
END Apply;

PROCEDURE Primes (): Small;
VAR
   i, j: CARDINAL;
   left: Small;
BEGIN
   left := Small{2..31};
   FOR i := 2 TO 5 DO
      j := 2 * i;
      WHILE j <= 31 DO
         EXCL(left, j);
         INC(j, i)
      END
   END;
   RETURN left
END Primes;

PROCEDURE Count (s: Small): CARDINAL;
VAR
   i, n: CARDINAL;
BEGIN
   n := 0;
   FOR i := 0 TO 31 DO
      IF i IN s THEN
         INC(n)
      END
   END;
   RETURN n
END Count;

PROCEDURE Push (x: INTEGER);
VAR
   new: List;
BEGIN
   NEW(new);
   new^.value := x;
   new^.next := list;
   list := new
END Push;

PROCEDURE Pop (): INTEGER;
VAR
   first: List;
   x: INTEGER;
BEGIN
   first := list;
   x := first^.value;
   list := first^.next;
   DISPOSE(first);
   RETURN x
END Pop;

PROCEDURE Area (VAR s: Shape): REAL;
BEGIN
   IF s.round THEN
      RETURN 3.0 * s.radius * s.radius
   ELSE
      RETURN s.width * s.height
   END
END Area;

PROCEDURE Words (n: CARDINAL);
BEGIN
   CASE n MOD 5 OF
      0: WriteString('none') |
      1: WriteString('one') |
      2, 3: WriteString('few')
   ELSE
      WriteString('many')
   END;
   WriteLn
END Words;

VAR
   i: INTEGER;
   n: CARDINAL;
BEGIN
   FOR i := 0 TO Last DO
      numbers[i] := i
   END;
   WriteInt(Sum(numbers), 10);
   Apply(Squared, numbers);
   WriteInt(Sum(numbers), 10);
   WriteCard(Count(Primes()), 6);
   WriteLn;
   list := NIL;
   FOR i := 1 TO 100 DO
      Push(i)
   END;
   FOR i := 1 TO 99 DO
      Push(Pop() + Pop())
   END;
   WriteInt(Pop(), 10);
   shape.round := FALSE;
   shape.width := 6.0;
   shape.height := 7.0;
   WriteInt(TRUNC(Area(shape)), 6);
   shape.round := TRUE;
   shape.radius := 4.0;
   WriteInt(TRUNC(Area(shape)), 6);
   WriteLn;
   FOR n := 0 TO 4 DO
      Words(n)
   END
END everything.
