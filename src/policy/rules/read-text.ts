import { commandOf } from '../../base/remedy-command.ts';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { foreignPlace } from '../../base/own-places.ts';
import { readClientText } from '../../servers/clients/client-text.ts';

export type RulesText =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'missing' }
  /** In a sentence. */
  | { readonly kind: 'unreadable'; readonly message: string };

type RulesPaths = readonly [string, string];

/** Either name will do; the first is the one that we would write. */
export function rulesPaths(folder: string): RulesPaths {
  return [join(folder, 'rules.json'), join(folder, 'rules.jsonc')];
}

export async function readRulesText(
  paths: RulesPaths,
): Promise<{ readonly path: string; readonly read: RulesText }> {
  const [first, second] = paths;
  const [a, b] = await Promise.all([readClientText(first), readClientText(second)]);
  if (a.kind !== 'missing' && b.kind !== 'missing') {
    return unusable(first, `There is also ${second}: keep one of the two, so that no rule is overlooked.`);
  }
  const path = b.kind === 'missing' ? first : second;
  const found = b.kind === 'missing' ? a : b;
  if (found.kind === 'missing') return { path, read: found };
  const foreign = foreignPlace(path);
  if (foreign) return unusable(path, `${foreign.says}. ${commandOf(foreign.remedy)}`);
  if (found.kind === 'unreadable') return unusable(path, `The file cannot be used: ${found.reason}.`);
  if (found.text.length > limits.configBytesMax) {
    return unusable(path, `The file is longer than ${limits.configBytesMax} characters.`);
  }
  return { path, read: { kind: 'ok', text: found.text } };
}

function unusable(path: string, message: string): { readonly path: string; readonly read: RulesText } {
  return { path, read: { kind: 'unreadable', message } };
}
