static inline int twice(const int *p)
{
	return *p + *p;
}

int
main(int argc,
     char **argv)
{
	for (int i = 0; i < 100; i++)
		argc += twice(&argc);
	return argc;
}
