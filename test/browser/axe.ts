import axe from 'axe-core';
import type { Page } from 'playwright-core';

const { source } = axe;

export interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly where: readonly string[];
}

/** All rules of WCAG 2.2 A and AA, or those of them that look at colors. */
export type AxeRules = keyof typeof RULES;
const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  colors: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

/** What axe finds of serious or critical impact on the page as it stands. */
export async function seriousViolations(page: Page, rules: AxeRules = 'all'): Promise<readonly Violation[]> {
  // The page's own policy allows no foreign script, so that axe comes in beside the page's world.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const contextId = executionContextId;
  const loaded = await session.send('Runtime.evaluate', { expression: 'typeof axe', contextId });
  // A world of this name lasts as long as its document.
  if (loaded.result.value === 'undefined') {
    await session.send('Runtime.evaluate', { expression: source, contextId });
  }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ${JSON.stringify(RULES[rules])} })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, impact, nodes }) => ({ id, impact, where: nodes.slice(0, 5).map(({ html }) => html.slice(0, 300)) })))`,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value as readonly Violation[]; // as the expression above makes it
}
