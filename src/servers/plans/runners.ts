import { wordSet } from '../word-set.ts';
import type { RegistryArgument, RegistryPackage } from '../registry/entry.ts';
import { literalArgument, literalOf, planArguments, type Form } from './form.ts';
import type { PlanArgument, PlanCommand, PlanPackage, PlanText, PlanValue, PlanWarning } from './plan.ts';

type Command =
  | { readonly kind: 'ok'; readonly command: PlanCommand; readonly warnings: readonly PlanWarning[] }
  | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly why: string;
}

const PACKAGE: PlanArgument = { text: [{ package: true }], style: 'separate', optional: false };

/** npx, uvx, dnx or docker, with the arguments in their places. */
export function runPackage(given: RegistryPackage, named: PlanPackage, form: Form): Command {
  const env = given.environment.map((input) => form.value(input, 'env'));
  if (named.registry === 'oci') return docker(given, named, form, env);
  const sorted = sortRuntime(given, named);
  if (sorted.kind === 'refused') return sorted;
  const { script } = sorted;
  const before = planArguments(sorted.before, form);
  const after = planArguments([...sorted.after, ...given.packageArguments], form);
  // `uvx --from package script` for a script with another name than its package.
  const spec =
    script === undefined ? [PACKAGE] : [literalArgument('--from'), PACKAGE, literalArgument(script)];
  const commands = {
    npm: { command: 'npx', args: [literalArgument('-y'), ...before, PACKAGE, ...after] },
    pypi: { command: 'uvx', args: [...before, ...spec, ...after] },
    nuget: {
      command: 'dnx',
      args: [...before, PACKAGE, literalArgument('--yes'), literalArgument('--'), ...after],
    },
  };
  const { registry } = named;
  const chosen = commands[registry === 'pypi' || registry === 'nuget' ? registry : 'npm'];
  return { kind: 'ok', command: { kind: 'command', ...chosen, env }, warnings: [] };
}

function docker(
  given: RegistryPackage,
  named: PlanPackage,
  form: Form,
  declared: readonly PlanValue[],
): Command {
  const sorted = dockerArguments(given.runtimeArguments, named, form, declared);
  if (sorted.kind === 'refused') return sorted;
  const { before, after, env } = sorted;
  const passed = env.map(({ name, optional }): PlanArgument => ({
    flag: '-e',
    text: [name],
    style: 'separate',
    optional: false,
    ...(optional ? { whenEnv: name } : {}),
  }));
  const args = [
    ...['run', '-i', '--rm'].map(literalArgument),
    ...passed,
    ...before,
    PACKAGE,
    ...after,
    ...planArguments(given.packageArguments, form),
  ];
  const command = { kind: 'command', command: 'docker', args, env } as const;
  return { kind: 'ok', command, warnings: before.flatMap(warningOf) };
}

/** Allowed options, and options that would run other code than is shown. */
const KEPT: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: wordSet('--prefer-online --prefer-offline --offline -q --quiet --ignore-scripts'),
  pypi: wordSet('--python -p --isolated --refresh --no-cache -q --quiet --prerelease'),
  nuget: wordSet('--prerelease --interactive'),
};
const REFUSED: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: wordSet(
    '-c --call -p --package --node-options --node-arg -n --registry --script-shell --shell --userconfig --globalconfig --prefix',
  ),
  pypi: wordSet(
    '--with --with-editable --with-requirements --index --index-url -i --extra-index-url --default-index -f --find-links --config-file --env-file --directory',
  ),
  nuget: wordSet('--add-source --source --configfile --tool-manifest'),
};
const SILENT = wordSet('-y --yes npx uvx dnx');

/** Only known options stay before the package: any other word there would be taken for the package. */
function sortRuntime({ runtimeArguments, runtimeHint = '' }: RegistryPackage, named: PlanPackage) {
  const before: RegistryArgument[] = [];
  const after: RegistryArgument[] = [];
  let script: string | undefined;
  let wantsScript = false;
  // `python -m module` is what uvx runs by name.
  const skipModule = runtimeHint.startsWith('python');
  for (const [index, argument] of runtimeArguments.entries()) {
    const word = argument.name ?? argument.value ?? '';
    const previous = runtimeArguments[index - 1];
    if (SILENT.has(word) || isPackage(word, named)) continue;
    if (skipModule && (word === '-m' || (previous?.name ?? previous?.value) === '-m')) continue;
    const flag = word.split('=', 1)[0] ?? word;
    if (flag === '--from' && named.registry === 'pypi') {
      const from = argument.name === undefined ? word.slice('--from='.length) : (argument.value ?? '');
      if (!isPackage(from, named)) return refuse(word, named);
      wantsScript = true;
    } else if (REFUSED[named.registry]?.has(flag) === true) {
      if (!isPackage(argument.value ?? '', named)) return refuse(word, named);
    } else if (KEPT[named.registry]?.has(flag) === true) before.push(argument);
    else if (wantsScript && script === undefined && argument.kind === 'positional') script = word;
    else after.push(argument);
  }
  return { kind: 'ok' as const, before, after, script };
}

function refuse(word: string, { name }: PlanPackage): Refused {
  return { kind: 'refused', why: `its option ${JSON.stringify(word)} would run something else than ${name}` };
}

function isPackage(word: string, { name }: PlanPackage): boolean {
  const bare = name.replace(/\[.*$/, '');
  return (
    word === name ||
    word === bare ||
    (word.startsWith(bare) && /^(\[[^\]]*\])?(@|==)[^/]*$/.test(word.slice(bare.length)))
  );
}

/**
 * Documents often repeat `docker run -i --rm … image` here. Variables go through the environment, which other
 * users of the machine can't read.
 */
function dockerArguments(
  given: readonly RegistryArgument[],
  image: PlanPackage,
  form: Form,
  env: readonly PlanValue[],
) {
  const before: PlanArgument[] = [];
  const after: PlanArgument[] = [];
  const variables = new Map(env.map((value) => [value.name, value]));
  let inside = false;
  for (const argument of joinPairs(given)) {
    const word = argument.name ?? argument.value ?? '';
    const flag = word.split('=', 1)[0] ?? word;
    if (DETACH.has(flag)) {
      const why = 'its container would run detached, out of our reach';
      return { kind: 'refused', why } satisfies Refused;
    }
    if (!inside && DOCKER_SILENT.has(word)) continue;
    if (!inside && argument.kind === 'positional' && isImage(word, image)) {
      inside = true;
      continue;
    }
    const planned = planArguments([argument], form);
    if (inside || !OPTIONS.has(flag)) after.push(...planned);
    else if (!ENV.has(flag)) before.push(...planned);
    else {
      for (const variable of planned.flatMap(readVariable)) {
        // A declared variable has more detail than an option.
        if (!variables.has(variable.name) || variable.text.length > 0) variables.set(variable.name, variable);
      }
    }
  }
  const set = [...variables.values()].filter(({ text }) => text.length > 0);
  return { kind: 'ok' as const, before, after, env: set };
}

/** `-e` and `-v` with the value as an argument of its own. */
function joinPairs(given: readonly RegistryArgument[]): readonly RegistryArgument[] {
  const joined: RegistryArgument[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const argument = given[index];
    const next = given[index + 1];
    if (argument === undefined) continue;
    const bare = argument.kind === 'named' && argument.value === undefined && PAIRED.has(argument.name ?? '');
    if (bare && next?.kind === 'positional' && next.value !== undefined) {
      joined.push({ ...argument, value: next.value, variables: next.variables });
      index += 1;
    } else joined.push(argument);
  }
  return joined;
}

function readVariable({ text = [], optional }: PlanArgument): readonly PlanValue[] {
  const [first, ...rest] = text;
  const [, name, tail] = typeof first === 'string' ? (/^([\w.-]+)(?:=([^]*))?$/.exec(first) ?? []) : [];
  if (name === undefined) return [];
  if (tail === undefined) return rest.length === 0 ? [{ name, text: [], optional }] : [];
  const value: PlanText = tail === '' ? rest : [tail, ...rest];
  return value.length === 0 ? [] : [{ name, text: value, optional }];
}

function isImage(word: string, { name }: PlanPackage): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/^docker\.io\//, '');
  const bare = plain(word)
    .replace(/@sha256:.*$/, '')
    .replace(/:[^/:]*$/, '');
  return bare === plain(name);
}

function warningOf({ flag = '', text }: PlanArgument): readonly PlanWarning[] {
  const value = literalOf(text) ?? '';
  const strong =
    POWERFUL.has(flag) ||
    (NETWORK.has(flag) && value === 'host') ||
    (MOUNTS.has(flag) && /docker\.sock|(^|src=|source=)(~|\/(etc|root|home)?)(:|,|$)/.test(value));
  if (!strong) return [];
  const message = `The container gets more than others: ${JSON.stringify(`${flag} ${value}`.trim())}.`;
  return [{ kind: 'powerful-container', message }];
}

const DETACH = wordSet('-d --detach -dit -itd');
const DOCKER_SILENT = wordSet('docker run -i -t -it -ti --interactive --tty --rm');
const PAIRED = wordSet('-e --env -v --volume -p --publish --mount --network --name --user -u');
const ENV = wordSet('-e --env');
const MOUNTS = wordSet('-v --volume --mount');
const NETWORK = wordSet('--network --net --pid --ipc --uts --userns');
const POWERFUL = wordSet('--privileged --cap-add --device --security-opt --entrypoint');
const OPTIONS = new Set([
  ...ENV,
  ...MOUNTS,
  ...NETWORK,
  ...POWERFUL,
  ...wordSet(
    '-p --publish --env-file --name --user -u -w --workdir --platform --pull --add-host -m --memory',
  ),
  ...wordSet('--cpus --init --gpus --tmpfs --read-only -l --label --shm-size --cap-drop -h --hostname --dns'),
]);
