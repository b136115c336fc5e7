import { counted } from '../render/text.ts';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Effect, Hub, PolicyDefaults, RulesView } from '../../hub/hub.ts';
import { defaultsByKey, defaultsChange } from '../config/settings.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { usage, userError } from '../failures.ts';
import { DONE, FAILED, faint, strong, type Output } from '../output.ts';
import type { HubSession, Texts } from '../session.ts';

export async function rules({ hub, out }: HubSession): Promise<void> {
  const [view, defaults] = await Promise.all([hub.policy.rules(), hub.policy.defaults()]);
  if (out.document({ ...view, defaults })) return;
  out.line(faint(view.exists ? 'rules in ' : 'no rules yet; put them in '), view.file);
  for (const { name, says } of view.rules) out.line(strong(`  ${name}  `), says);
  renderDefaults(defaults, out);
  renderProblems(view.file, view.problems, out);
}

export async function checkRules({ file }: Texts<'file'>, session: HubSession): Promise<ExitCode> {
  const { hub, out, cwd } = session;
  const { path, count, problems } =
    file === undefined ? await inForce(hub) : await readRules(resolve(cwd, file));
  out.document({ file: path, rules: count, problems });
  renderProblems(path, problems, out);
  if (problems.length > 0) return exitCodes.failed;
  out.line(DONE, `${path} is valid: ${counted(count, 'rule')}.`);
  return exitCodes.ok;
}

interface Checked {
  readonly path: string;
  readonly count: number;
  readonly problems: RulesView['problems'];
}

async function inForce(hub: Hub): Promise<Checked> {
  const { file, rules: all, problems } = await hub.policy.rules();
  return { path: file, count: all.length, problems };
}

async function readRules(path: string): Promise<Checked> {
  const { readFile, stat } = await import('node:fs/promises');
  const { parseRules } = await import('../../policy/rules/parse.ts');
  const read = async (): Promise<string> => {
    if ((await stat(path)).size > limits.configBytesMax) throw new Error('it is too large');
    return await readFile(path, 'utf8');
  };
  const text = await read().catch((cause: unknown) => {
    throw userError('usage', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  });
  const parsed = await parseRules(text);
  return parsed.kind === 'ok'
    ? { path, count: parsed.rules.all.length, problems: [] }
    : { path, count: 0, problems: parsed.problems };
}

const PLACES = ['connect', 'list', 'call.read', 'call.write', 'call.destructive', 'call.unknown'] as const;
const EFFECTS: readonly Effect[] = ['allow', 'ask', 'deny'];

export async function setDefault(
  { place, effect }: { readonly place: string; readonly effect: string },
  { hub, out }: HubSession,
): Promise<void> {
  const change = defaultsChange(oneOf(PLACES, place, 'default'), oneOf(EFFECTS, effect, 'effect'));
  const defaults = await hub.policy.setDefaults(change);
  out.document({ defaults });
  out.line(DONE, `${place} is now ${effect}.`);
  renderDefaults(defaults, out);
}

function oneOf<T extends string>(known: readonly T[], word: string, what: string): T {
  const found = known.find((one) => one === word);
  if (found !== undefined) return found;
  const near = didYouMean(suggest(word, known)) || `There are ${known.join(', ')}.`;
  throw usage(`There is no ${what} “${word.slice(0, 60)}”. ${near}`, 'plug rules default call.write ask');
}

function renderDefaults(defaults: PolicyDefaults, out: Output): void {
  out.line(faint('when no rule, grant or trust applies'));
  for (const [place, effect] of Object.entries(defaultsByKey(defaults)))
    out.line(`  ${place.padEnd(17)} ${effect}`);
}

/** As compilers say it, so that editors can jump there. */
function renderProblems(file: string, problems: RulesView['problems'], out: Output): void {
  if (out.json) return; // they are part of the document
  for (const { line, column, message } of problems) out.note(FAILED, `${file}:${line}:${column} ${message}`);
}
