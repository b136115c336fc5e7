import { searchLimits } from './limits.ts';
import { byScore, type Hit } from './rank.ts';
import { weights } from './weights.ts';

/**
 * A short query is about one service, named or not: a tool whose siblings fit too is more likely meant than one
 * that shares a word by chance. The best few of each server count, so that large servers gain nothing.
 */
export function byServers(hits: readonly Hit[], words: number): readonly Hit[] {
  const best = hits.slice(0, searchLimits.pairedHits);
  const fits = new Map<string, { sum: number; tools: number }>();
  for (const { document, score } of best) {
    const fit = fits.get(document.server) ?? { sum: 0, tools: 0 };
    fits.set(document.server, fit);
    // Exact names are above 1, and say nothing about the service.
    if (fit.tools < weights.serverTools) fit.sum += Math.min(1, score);
    fit.tools += 1;
  }
  const most = Math.max(...[...fits.values()].map(({ sum }) => sum));
  if (fits.size < 2 || most === 0) return hits;
  // A long query is about several services.
  const bonus = (weights.server * Math.min(1, weights.coverageWords / words)) / most;
  const raised = best.map((hit) => {
    const fit = fits.get(hit.document.server)?.sum ?? 0;
    return { ...hit, score: hit.score + bonus * fit * Math.min(1, hit.score) };
  });
  // The bonus only raises: what follows the best stays behind them.
  return [...raised.toSorted(byScore), ...hits.slice(searchLimits.pairedHits)];
}
