--  Ada: rendezvous, protected objects, timeouts, exceptions through tasks and finalization.
with Ada.Text_IO; use Ada.Text_IO;
with Ada.Finalization;
with Ada.Exceptions; use Ada.Exceptions;
with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
procedure Concurrent is
   protected Counter is
      procedure Add (N : Integer);
      entry Full (Total : out Integer);
   private
      Sum : Integer := 0;
      Calls : Integer := 0;
   end Counter;
   protected body Counter is
      procedure Add (N : Integer) is begin Sum := Sum + N; Calls := Calls + 1; end Add;
      entry Full (Total : out Integer) when Calls = 40 is begin Total := Sum; end Full;
   end Counter;
   type Guard is new Ada.Finalization.Limited_Controlled with null record;
   procedure Finalize (G : in out Guard) is begin Counter.Add (0); end Finalize;
   task type Worker is entry Start (N : Integer); entry Stop; end Worker;
   task body Worker is
      Mine : Integer := 0;
   begin
      accept Start (N : Integer) do Mine := N; end Start;
      for I in 1 .. 8 loop
         declare
            G : Guard;
            A : array (1 .. 10) of Integer := (others => I);
         begin
            A (Mine + I) := 1;
            Counter.Add (A (Mine + I) + I);
         exception
            when Constraint_Error => Counter.Add (100);
         end;
      end loop;
      select
         accept Stop;
      or
         delay 10.0;
      end select;
   exception
      when E : others => Put_Line ("worker " & Exception_Name (E));
   end Worker;
   Workers : array (1 .. 4) of Worker;
   Total : Integer := 0;
   S : Unbounded_String;
begin
   for I in Workers'Range loop Workers (I).Start (I); end loop;
   select
      Counter.Full (Total);
   or
      delay 2.0;
   end select;
   for I in Workers'Range loop Workers (I).Stop; end loop;
   for I in 1 .. 100 loop Append (S, Integer'Image (I)); end loop;
   Put_Line (Integer'Image (Length (S)));
   select
      delay 0.05; Put_Line ("aborted");
   then abort
      delay 20.0;
   end select;
   begin
      raise Program_Error with "mine";
   exception
      when E : Program_Error => Put_Line (Exception_Message (E));
   end;
end Concurrent;
