import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import { textOf, textsOf, type FieldSpec, type FieldValues } from '../../parts/form/field-spec.ts';

/** A variable or a header while it is edited. */
export interface Pair {
  /** Of its own, whatever its name becomes. */
  readonly key: string;
  readonly name: string;
  readonly value: string;
  /** Typed anew, and to be kept in the vault. */
  readonly secret: boolean;
}

/** What a person edits of a definition: everything else stays as it is. */
export interface Draft {
  readonly values: FieldValues;
  readonly pairs: readonly Pair[];
}

export function draftOf(definition: ServerDefinition): Draft {
  const { endpoint, timeouts, tools } = definition;
  const pairs = endpoint.kind === 'stdio' ? endpoint.env : endpoint.headers;
  const seconds = (ms: number | undefined): FieldValues[string] => (ms === undefined ? '' : ms / 1_000);
  return {
    values: {
      name: definition.name,
      ...(endpoint.kind === 'stdio'
        ? { command: endpoint.command, args: endpoint.args, cwd: endpoint.cwd ?? '' }
        : { url: endpoint.url }),
      start: seconds(timeouts.startMs),
      call: seconds(timeouts.callMs),
      idle: seconds(timeouts.idleMs),
      keepAlive: definition.keepAlive,
      allow: tools.allow ?? [],
      deny: tools.deny ?? [],
    },
    pairs: Object.entries(pairs).map(([name, value]) => ({ key: name, name, value, secret: false })),
  };
}

/** The definition as edited. Values of pairs are taken as they are: see `saveServer`. */
export function definitionOf(before: ServerDefinition, { values, pairs }: Draft): ServerDefinition {
  const { endpoint } = before;
  const named = Object.fromEntries(
    pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
  );
  const { cwd: _, ...local } = endpoint.kind === 'stdio' ? endpoint : { cwd: '' };
  const cwd = textOf(values['cwd']).trim();
  return {
    ...before,
    name: textOf(values['name']).trim() || before.id,
    keepAlive: values['keepAlive'] === true,
    endpoint:
      endpoint.kind === 'stdio'
        ? {
            ...local,
            kind: 'stdio',
            command: textOf(values['command']).trim(),
            args: textsOf(values['args']).filter((arg) => arg !== ''),
            env: named,
            ...(cwd === '' ? {} : { cwd }),
          }
        : { kind: endpoint.kind, url: textOf(values['url']).trim(), headers: named },
    timeouts: {
      ...rest(before.timeouts),
      ...limit('startMs', values['start']),
      ...limit('callMs', values['call']),
      ...limit('idleMs', values['idle']),
    },
    tools: { ...globs('allow', values['allow']), ...globs('deny', values['deny']) },
  };
}

function rest({ toolMs }: ServerDefinition['timeouts']): ServerDefinition['timeouts'] {
  return toolMs === undefined ? {} : { toolMs };
}

function limit(name: string, seconds: FieldValues[string] | undefined): Record<string, number> {
  return seconds === undefined || seconds === '' ? {} : { [name]: Math.round(Number(seconds) * 1_000) };
}

function globs(name: string, given: FieldValues[string] | undefined): Record<string, readonly string[]> {
  const texts = textsOf(given ?? []).filter((text) => text !== '');
  return texts.length === 0 ? {} : { [name]: texts };
}

/** In the order in which a person thinks of them; what few people change is folded. */
export function fieldsFor({ endpoint }: ServerDefinition): {
  readonly main: readonly FieldSpec[];
  readonly more: readonly FieldSpec[];
} {
  const text = (id: string, label: string, required = true): FieldSpec => ({
    id,
    label,
    kind: 'text',
    required,
  });
  const seconds = (id: string, label: string, description: string): FieldSpec => ({
    id,
    label,
    description,
    kind: 'number',
    required: false,
    min: 0.1,
    max: 86_400,
  });
  const list = (id: string, label: string, description: string): FieldSpec => ({
    id,
    label,
    description,
    kind: 'list',
    required: false,
  });
  return {
    main: [
      text('name', 'Name'),
      ...(endpoint.kind === 'stdio'
        ? [
            text('command', 'Command'),
            { id: 'args', label: 'Arguments', kind: 'list', required: false } as const,
            text('cwd', 'Folder', false),
          ]
        : [text('url', 'Address')]),
    ],
    more: [
      seconds('start', 'Start limit', 'Seconds; 30 when empty.'),
      seconds('call', 'Call limit', 'Seconds; 60 when empty.'),
      seconds('idle', 'Stops when idle', 'Seconds.'),
      { id: 'keepAlive', label: 'Keep it running', kind: 'boolean', required: false },
      list('allow', 'Only these tools', 'Names; * stands for anything.'),
      list('deny', 'Never these tools', 'Names; * stands for anything.'),
    ],
  };
}
