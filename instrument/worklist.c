#include "instrument/worklist.h"

#include <stdlib.h>

void worklist_make(struct worklist *w, size_t room)
{
	*w = (struct worklist){.ring = xalloc(room, sizeof *w->ring), .waits = xalloc(room, sizeof *w->waits),
			       .room = (uint32_t)room};
}

void worklist_add(struct worklist *w, uint32_t number)
{
	uint32_t left = w->room - w->first;

	if (w->waits[number])
		return;
	w->waits[number] = true;
	w->ring[w->n < left ? w->first + w->n : w->n - left] = number;
	w->n++;
}

bool worklist_take(struct worklist *w, uint32_t *number)
{
	if (!w->n)
		return false;
	*number = w->ring[w->first];
	w->waits[*number] = false;
	w->first = w->first + 1 < w->room ? w->first + 1 : 0;
	w->n--;
	return true;
}

void worklist_free(struct worklist *w)
{
	free(w->ring);
	free(w->waits);
}

/* first[i + 2] has how many are on list i; summed up, first[i + 1] has where the list begins; each item moves that on,
 * at last to where the next one begins. */
void lists_make(struct lists *l, size_t n, const listed_vec *listed)
{
	l->first = xalloc(n + 2, sizeof *l->first);
	l->item = xalloc(listed->n + 1, sizeof *l->item);
	for (size_t i = 0; i < listed->n; i++)
		l->first[listed->at[i].list + 2]++;
	for (size_t i = 2; i <= n; i++)
		l->first[i] += l->first[i - 1];
	for (size_t i = listed->n; i-- > 0;)
		l->item[l->first[listed->at[i].list + 1]++] = listed->at[i].item;
}

void lists_free(struct lists *l)
{
	free(l->first);
	free(l->item);
}
