import axe from 'axe-core';
import type { Page } from 'playwright-core';

const { source } = axe;

export interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly where: readonly string[];
}

/** What axe finds of serious or critical impact on the page as it stands (WCAG 2.2 A and AA). */
export async function seriousViolations(page: Page): Promise<readonly Violation[]> {
  // The page's own policy allows no foreign script, so that axe comes in beside the page's world.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', { expression: source, contextId: executionContextId });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, impact, nodes }) => ({ id, impact, where: nodes.slice(0, 5).map(({ html }) => html.slice(0, 300)) })))`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value as readonly Violation[]; // as the expression above makes it
}
