import type { RegistryArgument } from '../registry/entry.ts';
import { literalOf, planArguments } from './arguments.ts';
import type { Form } from './form.ts';
import type { PlanArgument, PlanPackage, PlanText, PlanValue, PlanWarning } from './plan.ts';

export type DockerArguments =
  | {
      readonly kind: 'ok';
      /** Options of `docker run`. */
      readonly before: readonly PlanArgument[];
      /** Arguments of what runs inside. */
      readonly after: readonly PlanArgument[];
      readonly env: readonly PlanValue[];
      readonly warnings: readonly PlanWarning[];
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Puts the runtime arguments of an image in their places. Many documents repeat the whole
 * `docker run -i --rm … image` there; we write that part ourselves. Values of variables go
 * through the environment, where other users of the machine cannot read them.
 */
export function dockerArguments(
  given: readonly RegistryArgument[],
  image: PlanPackage,
  { form, env }: { readonly form: Form; readonly env: readonly PlanValue[] },
): DockerArguments {
  const before: PlanArgument[] = [];
  const after: PlanArgument[] = [];
  const variables = new Map(env.map((value) => [value.name, value]));
  let inside = false;
  for (const argument of joinPairs(given)) {
    const word = argument.name ?? argument.value ?? '';
    const flag = word.split('=', 1)[0] ?? word;
    if (DETACH.has(flag))
      return { kind: 'refused', why: 'its container would run detached, out of our reach' };
    if (!inside && SILENT.has(word)) continue;
    if (!inside && argument.kind === 'positional' && isImage(word, image)) {
      inside = true;
      continue;
    }
    const planned = planArguments([argument], form);
    if (inside || !OPTIONS.has(flag)) after.push(...planned);
    else if (ENV.has(flag)) {
      for (const variable of planned.flatMap(readVariable)) {
        // A declared variable knows more than its mention among the options.
        if (!variables.has(variable.name) || variable.text.length > 0) variables.set(variable.name, variable);
      }
    } else before.push(...planned);
  }
  const set = [...variables.values()].filter(({ text }) => text.length > 0);
  return { kind: 'ok', before, after, env: set, warnings: before.flatMap(warningOf) };
}

/** `-e` and `-v` whose value is listed as an argument of its own. */
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

/** `NAME` or `NAME=text`; the text may hold what the user gives. */
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
  const shown = `${flag} ${value}`.trim();
  return [
    { kind: 'powerful-container', message: `The container gets more than others: ${JSON.stringify(shown)}.` },
  ];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const DETACH = words('-d --detach -dit -itd');
const SILENT = words('docker run -i -t -it -ti --interactive --tty --rm');
const PAIRED = words('-e --env -v --volume -p --publish --mount --network --name --user -u');
const ENV = words('-e --env');
const MOUNTS = words('-v --volume --mount');
const NETWORK = words('--network --net --pid --ipc --uts --userns');
const POWERFUL = words('--privileged --cap-add --device --security-opt --entrypoint');
const OPTIONS = new Set([
  ...ENV,
  ...MOUNTS,
  ...NETWORK,
  ...POWERFUL,
  ...words('-p --publish --env-file --name --user -u -w --workdir --platform --pull --add-host -m --memory'),
  ...words('--cpus --init --gpus --tmpfs --read-only -l --label --shm-size --cap-drop -h --hostname --dns'),
]);
