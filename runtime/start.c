/* The run's life: start, entrances of threads, end. */
#include "runtime/ends.h"
#include "runtime/regions.h"

static bool started;
static struct module *module; /* this one */

static void announce(const struct process *p)
{
	struct geometry hardware = p->options.ll_hardware, ll = p->options.ll;

	if (p->level)
		cacheprof_print(SAY "level-%d instrumented program: startup\n", p->level);
	if (hardware.size)
		cacheprof_print(SAY "LL of %u B, %u ways has %u sets, no power of two: simulated "
				"as %u B, %u ways\n",
				hardware.size, hardware.assoc, hardware.size / hardware.line / hardware.assoc,
				ll.size, ll.assoc);
}

/* By the first module of the process. argv, envp: as cacheprof_arguments_note takes them. */
static void start_process(struct process *p, const char *const *argv, const char *const *envp)
{
	p->pid = cacheprof_getpid();
	p->start_ns = cacheprof_now_ns();
	cacheprof_messages_start(p);
	p->written = UINT64_MAX;
	cacheprof_ends_start(p);
	cacheprof_arguments_note(p, argv, envp);
	cacheprof_options_read(p);
	if (p->options.fixed_addresses)
		cacheprof_fix_addresses(p);
	if (!p->options.quiet)
		announce(p);
}

static void start(const char *const *argv, const char *const *envp)
{
	struct process *p;
	bool first;

	if (started)
		return;
	started = true;
	cacheprof_process_join();
	p = cacheprof_the_process;
	cacheprof_process_lock();
	cacheprof_module_check();
	first = !p->started;
	if (first)
		start_process(p, argv, envp);
	p->started = true;
	p->ended = false;
	cacheprof_models_start(&p->options, p->level);
	module = cacheprof_module_register();
	cacheprof_regions_start(module, first);
	cacheprof_process_unlock();
	/* Where nothing is instrumented it may not be known yet what caches the thread has. */
	if (module->chunks < module->chunks_end)
		cacheprof_thread_register(module);
	if (!p->looking) {
		p->looking = module;
		cacheprof_look_start(p);
		cacheprof_signals_start();
	}
}

void cacheprof_thread_enter(void)
{
	/* Whoever comes from a plain copy may be known. */
	if (cacheprof_here.base)
		return;
	if (started)
		cacheprof_thread_register(module);
	else
		start(0, 0);
}

static void constructor(int argc, const char *const *argv, const char **envp)
{
	cacheprof_arguments_find(argc, &argv, &envp);
	start(argv, (const char *const *)envp);
	if (cacheprof_process.looking == module)
		cacheprof_atfork_start();
	if (cacheprof_process.options.fixed_addresses && envp)
		cacheprof_hide_filling(envp);
}

static void destructor(void)
{
	bool last = cacheprof_module_end();

	if (last)
		cacheprof_end(END_EXIT);
	if (!IN_EXECUTABLE && cacheprof_process.looking == module) {
		cacheprof_signals_stop();
		cacheprof_look_stop(&cacheprof_process);
		cacheprof_process.looking = 0;
	}
	cacheprof_module_leave();
	if (!last)
		return;
	cacheprof_shows_end(true);
	cacheprof_models_forget();
}

/* First of the constructors, last of the destructors (which run in the reverse order). */
__attribute__((section(".init_array.00000"), used)) static void (*const at_start)(
    int, const char *const *, const char **) = constructor;
__attribute__((section(".fini_array.00000"), used)) static void (*const at_end)(void) = destructor;
