--  Ada: containers, tasks, and exceptions that the language raises: checks, a signal.
with Ada.Text_IO; use Ada.Text_IO;
with Ada.Containers.Vectors;
procedure Everything is
   package Vectors is new Ada.Containers.Vectors (Natural, Integer);
   Trouble : exception;
   V : Vectors.Vector;
   Sum : Integer := 0;
   type Table is array (1 .. 10) of Integer;
   T : Table := (others => 3);
   task type Worker (N : Integer) is
      entry Give (X : out Integer);
   end Worker;
   task body Worker is
      R : Integer := 0;
   begin
      for I in 1 .. 1000 loop
         R := R + (I * N) mod 7;
      end loop;
      accept Give (X : out Integer) do
         X := R;
      end Give;
   end Worker;
   function Divide (A, B : Integer) return Integer is (A / B);
   procedure Recurse (N : Integer) is
      Local : String (1 .. N + 3) := (others => 'x');
   begin
      if N = 5 then
         raise Trouble with "at" & Integer'Image (N) & Local;
      end if;
      Recurse (N + 1);
   exception
      when Trouble =>
         Sum := Sum + Local'Length;
         raise;
   end Recurse;
begin
   for I in 1 .. 100 loop
      V.Append ((I * 37) mod 101);
   end loop;
   for X of V loop
      Sum := (Sum * 3 + X) mod 10007;
   end loop;
   Put_Line (Sum'Image);
   begin
      T (V.Last_Element + 1000) := 1;
   exception
      when Constraint_Error => Put_Line ("range");
   end;
   begin
      Put_Line (Divide (5, T (1) - 3)'Image);
   exception
      when Constraint_Error => Put_Line ("division");
   end;
   begin
      Recurse (0);
   exception
      when Trouble => Put_Line ("trouble" & Sum'Image);
   end;
   declare
      A : Worker (3);
      B : Worker (4);
      X, Y : Integer;
   begin
      A.Give (X);
      B.Give (Y);
      Put_Line (X'Image & Y'Image);
   end;
   declare
      type Access_Int is access all Integer;
      P : Access_Int := null;
   begin
      T (P.all) := 3;
   exception
      when Constraint_Error => Put_Line ("null");
   end;
end Everything;
