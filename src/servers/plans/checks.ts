import { unseen } from '../../base/unseen-characters.ts';
import { wordSet } from '../word-set.ts';
import { editsBetween } from '../../base/edit-distance.ts';
import { programOf } from '../paste/commands/run-command.ts';
import { listFeatured } from '../featured.ts';
import type { Planned } from './install.ts';
import { fieldsOf, type InstallPlan, type PlanCommand, type PlanText, type PlanWarning } from './plan.ts';

/** Passed in, so that plans stay pure. */
export interface PlanChecks {
  readonly knownPackages?: readonly string[];
  /** Whether a variable changes what code runs (`NODE_OPTIONS`, `LD_PRELOAD`). */
  readonly isDangerousVariable?: (name: string, value: string) => boolean;
}

/** Adds warnings, or refuses the plan. Links are judged more strictly. */
export function checkPlan(plan: InstallPlan, checks: PlanChecks): Planned {
  const commands = commandsOf(plan);
  const [unsafe] = plan.untrusted ? commands.flatMap((command) => dangerOf(command) ?? []) : [];
  if (unsafe !== undefined) return { kind: 'refused', why: unsafe };
  const dangerous = commands.flatMap((command) => dangerousVariables(command, checks));
  const [first] = dangerous;
  if (plan.untrusted && first !== undefined)
    return { kind: 'refused', why: `it sets the variable ${first}, which changes what code runs` };
  if (
    planTexts(plan)
      .flat()
      .some((part) => typeof part === 'string' && /\0|\{env:/.test(part))
  )
    return { kind: 'refused', why: 'one of its texts would read a variable of this machine, or holds NUL' };
  const more: readonly PlanWarning[] = [
    ...dangerous.map((name) => ({
      kind: 'dangerous-variable' as const,
      message: `It sets ${name}, which changes what code runs; it will not start unless you allow that.`,
    })),
    ...similarWarning(plan, checks),
    ...unpinned(plan),
    ...secretArguments(plan),
  ];
  return { kind: 'ok', plan: { ...plan, warnings: [...plan.warnings, ...more] } };
}

function commandsOf({ target, steps }: InstallPlan): readonly PlanCommand[] {
  const started = steps.flatMap((step) => (step.kind === 'start-yourself' ? [step.command] : []));
  return target.kind === 'command' ? [target, ...started] : started;
}

/** Never allowed from a stranger's link. */
function dangerOf({ command, args }: PlanCommand): string | undefined {
  const words = args.flatMap(({ flag, text = [] }) => [
    ...(flag === undefined ? [] : [flag]),
    literalsIn(text),
  ]);
  if ([command, ...words].some((word) => word.search(unseen()) !== -1))
    return 'its command holds characters that cannot be seen';
  const program = programOf(command);
  if (SHELLS.has(program)) return `it would start a shell (${program})`;
  const options = Object.hasOwn(CODE, program) ? CODE[program]?.split(' ') : undefined;
  const code = words.find((word) => options?.includes(word.split('=', 1)[0] ?? word));
  return code === undefined ? undefined : `its option ${code} would run code that stands in the link`;
}

const SHELLS = wordSet(
  'sh bash zsh dash fish ksh csh tcsh cmd powershell pwsh osascript wscript cscript env sudo',
);
const CODE: Readonly<Record<string, string>> = {
  npx: '-c --call --node-options --script-shell',
  npm: '-c --call --node-options --script-shell',
  node: '-e --eval -p --print -r --require --import --loader',
  bun: '-e --eval -p --print -r --preload',
  deno: 'eval',
  python: '-c',
  python3: '-c',
  ruby: '-e',
  perl: '-e -E',
  php: '-r',
};

/** Without the user's values. */
function literalsIn(text: PlanText): string {
  return text.filter((part) => typeof part === 'string').join('');
}

function dangerousVariables({ env }: PlanCommand, { isDangerousVariable }: PlanChecks): readonly string[] {
  return env
    .filter(({ name, text }) => isDangerousVariable?.(name, literalsIn(text)) === true)
    .map(({ name }) => name);
}

function similarWarning(
  { package: pack }: InstallPlan,
  { knownPackages = [] }: PlanChecks,
): readonly PlanWarning[] {
  if (pack === undefined || pack.registry === 'mcpb') return [];
  const featured = listFeatured().flatMap((server) =>
    server.package?.registry === pack.registry ? [server.package.name] : [],
  );
  const known = similarName(pack.name, [...featured, ...knownPackages]);
  if (known === undefined) return [];
  return [{ kind: 'similar-name', message: `“${pack.name}” is not “${known}”, though it looks like it.` }];
}

function unpinned({ package: pack }: InstallPlan): readonly PlanWarning[] {
  if (pack === undefined || pack.pinned === 'exact' || pack.pinned === 'content') return [];
  // A tag that looks like a version rarely moves.
  if (pack.registry === 'oci' && /^v?\d+\.\d+/.test(pack.version ?? '')) return [];
  const what = pack.version === undefined ? 'no version' : `the moving version “${pack.version}”`;
  const message = `It names ${what}, so what it runs can change.`;
  return [{ kind: 'unpinned', message }];
}

/** Other programs can read the arguments of a process. */
function secretArguments({ target, form }: InstallPlan): readonly PlanWarning[] {
  if (target.kind !== 'command') return [];
  const used = target.args.flatMap(({ text }) => fieldsOf(text));
  const [first] = used.flatMap(
    (id) => form.find((field) => field.id === id && field.kind === 'secret') ?? [],
  );
  if (first === undefined) return [];
  const message = `${first.label} is passed as an argument, where other programs can read it.`;
  return [{ kind: 'secret-in-arguments', message }];
}

function planTexts({ target }: InstallPlan): readonly PlanText[] {
  if (target.kind === 'remote')
    return [target.url, ...[...target.headers, ...target.query].map(({ text }) => text)];
  if (target.kind === 'bundle') return target.env.map(({ text }) => text);
  return [...target.args.map(({ text = [] }) => text), ...target.env.map(({ text }) => text)];
}

/** A known name one or two edits away; short names must be closer, since they are alike anyway. */
function similarName(name: string, known: readonly string[]): string | undefined {
  const plain = normal(name);
  const equal = known.filter((candidate) => normal(candidate) === plain);
  // Case and punctuation matter in some registries only.
  if (equal.length > 0) return known.includes(name) || !name.startsWith('@') ? undefined : equal[0];
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const max = Math.min(plain.length, candidate.length) < 8 ? 1 : 2;
    const most = best === undefined ? max : best.edits - 1;
    const edits = editsBetween(plain, normal(candidate), most);
    if (edits > 0 && edits <= most) best = { name: candidate, edits };
  }
  return best?.name;
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, '-');
}
