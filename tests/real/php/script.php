<?php
// A bit of everything that PHP's machine has: calls of all kinds, arrays of both kinds, strings, generators, fibers, exceptions,
// objects with cycles, references, patterns, JSON, serializing, sorting. What is printed depends on all of it.
// Argument: how many rounds.
declare(strict_types=1);

final class Node
{
	public ?Node $left = null, $right = null, $up = null;

	public function __construct(public readonly int $key, public string $name) {}
}

class Tree implements IteratorAggregate, Countable
{
	private ?Node $root = null;
	private int $n = 0;

	public function insert(int $key): bool
	{
		$place = &$this->root;
		$up = null;
		while ($place !== null) {
			if ($place->key === $key)
				return false;
			$up = $place;
			if ($key < $place->key)
				$place = &$place->left;
			else
				$place = &$place->right;
		}
		$place = new Node($key, "n$key");
		$place->up = $up; // a cycle, for the collector
		$this->n++;
		return true;
	}

	public function count(): int
	{
		return $this->n;
	}

	private static function walk(?Node $node): Generator
	{
		if ($node) {
			yield from self::walk($node->left);
			yield $node->key => $node->name;
			yield from self::walk($node->right);
		}
	}

	public function getIterator(): Iterator
	{
		return self::walk($this->root);
	}

	public function __call(string $name, array $arguments)
	{
		return "$name(" . implode(',', $arguments) . ')';
	}
}

function trees(int $seed): string
{
	$tree = new Tree;
	for ($i = 0; $i < 400; $i++)
		$tree->insert($seed = ($seed * 1103515245 + 12345) % 2147483648 % 5000);
	$sum = 0;
	foreach ($tree as $key => $name)
		$sum = ($sum * 31 + $key + strlen($name)) % 1000003;
	return count($tree) . ' ' . $sum . ' ' . $tree->anything($seed, 2);
}

function words(int $seed): string
{
	$words = [];
	for ($i = 0; $i < 600; $i++) {
		$seed = ($seed * 69069 + 1) & 0xffffffff;
		$words[] = base_convert((string)($seed % 100003), 10, 36);
	}
	$counts = array_count_values(array_map(fn(string $w): string => substr($w, 0, 2), $words));
	uksort($counts, fn($a, $b) => $counts[$b] <=> $counts[$a] ?: strcmp((string)$a, (string)$b));
	usort($words, 'strnatcmp');
	$text = implode(' ', $words);
	$changed = preg_replace_callback('/\b([a-z])(\w*?)(\d+)\b/', fn(array $m) => strtoupper($m[1]) . strrev($m[2]) . $m[3] * 2, $text, -1, $n);
	return md5($changed) . " $n " . key($counts) . ' ' . crc32($text) . ' ' . similar_text($words[0], $words[99]);
}

function fibers(int $n): int
{
	$makes = [];
	for ($k = 1; $k <= 5; $k++)
		$makes[] = new Fiber(function (int $by) use ($n): string {
			for ($i = 0, $sum = 0; $i < $n; $i++)
				$sum += Fiber::suspend($sum) * $by;
			return "end $sum";
		});
	$total = 0;
	foreach ($makes as $k => $fiber)
		$fiber->start($k);
	for ($i = 0; $i < $n; $i++)
		foreach ($makes as $fiber)
			$total += $fiber->resume($i) ?? 0;
	foreach ($makes as $fiber)
		$total = crc32($total . $fiber->getReturn());
	return $total;
}

function thrown(int $depth): int
{
	try {
		if ($depth % 7 === 6)
			throw new DomainException("at $depth", $depth);
		return $depth ? thrown($depth - 1) + 1 : 0;
	} catch (DomainException $e) {
		if ($e->getCode() % 2)
			throw new LogicException($e->getMessage(), 1, $e);
		return count($e->getTrace());
	} finally {
		if ($depth === 0)
			return 100;
	}
}

function data(int $seed): string
{
	mt_srand($seed);
	$a = ['when' => (new DateTimeImmutable('@' . $seed * 86400))->format('D, d M Y'), 'pi' => round(M_PI, 5), 'deep' => [[[$seed]]]];
	for ($i = 0; $i < 50; $i++)
		$a["k$i"] = ['x' => mt_rand(), 'y' => $i / 3, 's' => str_repeat(chr(65 + $i % 26), $i % 5)];
	$b = unserialize(serialize(json_decode(json_encode($a), true)));
	$list = new SplPriorityQueue;
	foreach ($b as $key => $value)
		$list->insert($key, is_array($value) ? ($value['x'] ?? 0) : 0);
	[$first, $second] = [$list->extract(), $list->extract()];
	return sprintf('%s %s %08x %.6f %s', $first, $second, crc32(print_r($b, true)), array_sum(array_column($b, 'y')), var_export($a == $b, true));
}

function numbers(int $n): float
{
	$m = [];
	for ($i = 0; $i < $n; $i++)
		for ($j = 0; $j < $n; $j++)
			$m[$i][$j] = 1 / ($i + $j + 1) + ($i === $j ? 1 : 0);
	for ($k = 0; $k < $n; $k++)
		for ($i = $k + 1; $i < $n; $i++) {
			$f = $m[$i][$k] / $m[$k][$k];
			for ($j = $k; $j < $n; $j++)
				$m[$i][$j] -= $f * $m[$k][$j];
		}
	for ($d = 1.0, $k = 0; $k < $n; $k++)
		$d *= $m[$k][$k];
	return $d;
}

for ($round = 1; $round <= (int)$argv[1]; $round++) {
	echo trees($round), ' ', words($round), ' ', fibers(10 + $round % 5), ' ', data($round), ' ', number_format(numbers(12 + $round % 4), 9);
	try {
		echo ' ', thrown($round % 20);
	} catch (LogicException $e) {
		echo ' ', get_class($e->getPrevious()), ' ', $e->getLine();
	}
	echo ' ', match (true) { $round % 3 === 0 => 'three', $round % 5 === 0 => 'five', default => 'other' }, "\n";
}
echo gc_collect_cycles() >= 0 ? 'done' : 'no', "\n";
