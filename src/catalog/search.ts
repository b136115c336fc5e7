import type { Tool } from './tool.ts';

/** The tools that hold every word, best first: exact names, then names, titles and descriptions. */
export function searchTools(tools: readonly Tool[], query: string): readonly Tool[] {
  const wanted = query.trim().toLowerCase();
  const words = wordsOf(wanted);
  if (words.length === 0) return tools;
  const scored = tools.flatMap((tool) => {
    const score = scoreOf(tool, wanted, words);
    return score === 0 ? [] : [{ tool, score }];
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ tool }) => tool);
}

function scoreOf(tool: Tool, wanted: string, words: readonly string[]): number {
  if (tool.ref.toLowerCase() === wanted || tool.name.toLowerCase() === wanted) return EXACT;
  const fields: readonly (readonly [string, number])[] = [
    [tool.name.toLowerCase(), 8],
    [tool.server, 6],
    [(tool.title ?? '').toLowerCase(), 4],
    [(tool.description ?? '').toLowerCase(), 1],
  ];
  let score = 0;
  for (const word of words) {
    const best = Math.max(...fields.map(([text, weight]) => (text.includes(word) ? weight : 0)));
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

const EXACT = 1_000;

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
