COMMON_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard common/*.c))
