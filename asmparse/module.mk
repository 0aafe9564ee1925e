# The scanner and the grammar are generated into build/asmparse and never committed.
ASMPARSE_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard asmparse/*.c)) \
	$(OBJ)/asmparse/lex.o $(OBJ)/asmparse/gram.o
