import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { commandOf } from '../../src/base/remedy-command.ts';
import type { Remedy } from '../../src/base/remedy.ts';
import type { DoctorRow, Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { complaints, newMachine, type Machine } from './doctor-world.ts';

/** A person's machine with one server, `sick`, whose entry stands in the person's own file. */
export interface Ward extends Machine {
  readonly hub: () => Promise<Hub>;
  readonly entry: (value: object) => void;
  /** Closes the hub; the next question opens it again. */
  readonly closeHub: () => Promise<void>;
  /** The same, with another environment. */
  readonly reopen: (env: Readonly<Record<string, string>>) => Promise<void>;
}

export interface Situation {
  /** What a person would tell. */
  readonly when: string;
  /** The entry of the server, or all that must be there for it. */
  readonly plant: ((ward: Ward) => object | void | Promise<object | void>) | object;
  /** The hub's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cause: Pick<DoctorRow, 'check'> & Partial<Pick<DoctorRow, 'cause' | 'status'>>;
  readonly says: RegExp;
  readonly remedy: object;
  /** The value that the person knows and that the remedy asks for. */
  readonly knows?: Json | ((before: unknown, ward: Ward) => Json);
  /** What the person does elsewhere, as the remedy says. */
  readonly does?: (ward: Ward, row: DoctorRow) => unknown;
  /** Looks at the machine too, not only at the server. */
  readonly whole?: boolean;
  /** Nothing is started. */
  readonly still?: boolean;
}

const found = { causes: 0, recoveries: 0, all: 0 };

export function situations(rows: readonly Situation[]): void {
  for (const situation of rows) {
    verifies(['U4'], `the doctor tells and mends: ${situation.when}`, () => examine(situation), 40_000);
  }
  afterAll(() => {
    const { causes, recoveries, all } = found;
    process.stdout.write(`true cause first: ${causes} of ${all}; recovery followed: ${recoveries}\n`);
    Object.assign(found, { causes: 0, recoveries: 0, all: 0 });
  });
}

async function examine(situation: Situation): Promise<void> {
  const { plant, cause, says, remedy, env } = situation;
  found.all += 1;
  const ward = newWard(env);
  const entry = typeof plant === 'function' ? await plant(ward) : plant;
  if (entry) ward.entry(entry);
  const [first] = await complaintsIn(ward, situation);
  expect(first).toMatchObject(cause);
  expect(first?.says).toMatch(says);
  found.causes += 1;
  expect(first?.remedy ?? {}).toMatchObject(remedy);
  if (first) await follow(ward, situation, first);
  await expect.poll(() => complaintsIn(ward, situation)).toEqual([]);
  found.recoveries += 1;
}

async function complaintsIn(
  ward: Ward,
  { whole = false, still = false }: Situation,
): Promise<readonly DoctorRow[]> {
  const hub = await ward.hub();
  const report = await hub.doctor.run({ live: !still, ...(whole ? {} : { server: 'sick' }) });
  return complaints(report);
}

function newWard(env: Readonly<Record<string, string>> = {}): Ward {
  const machine = newMachine();
  let hub: Promise<Hub> | undefined;
  let given = env;
  const closeHub = async (): Promise<void> => {
    const open = hub;
    hub = undefined;
    await (await open)?.close();
  };
  return {
    ...machine,
    hub: () => (hub ??= machine.open(given)),
    entry: (value) =>
      void machine.write(join(machine.own, 'mcp.json'), { mcpServers: { sick: { ...value } } }),
    closeHub,
    reopen: async (next) => {
      given = next;
      await closeHub();
    },
  };
}

/** Does what the remedy says, and no more. */
async function follow(ward: Ward, situation: Situation, row: DoctorRow): Promise<void> {
  const { remedy, fix } = row;
  const hub = await ward.hub();
  if (!remedy) return void (fix && (await hub.doctor.fix({ fixes: [fix.id] })));
  // Each step takes the remedies of its own `do`, which the compiler cannot follow through an index.
  const step = (STEPS as Partial<Record<Remedy['do'], Step<Remedy>>>)[remedy.do];
  if (!step) throw new Error(`This mends nothing: ${JSON.stringify(remedy)}`);
  if (ELSEWHERE.has(remedy.do) && !situation.does)
    throw new Error('The situation has no step for this remedy.');
  const { before, after } = step({ hub, remedy, ward, situation, row });
  await before?.();
  await situation.does?.(ward, row);
  await after?.();
}

type Step<Of extends Remedy> = (given: {
  readonly hub: Hub;
  readonly remedy: Of;
  readonly ward: Ward;
  readonly situation: Situation;
  readonly row: DoctorRow;
}) => {
  /** Ours, and then the person's own; or the person's first. */
  readonly before?: () => Promise<unknown>;
  readonly after?: () => Promise<unknown>;
};

const ELSEWHERE: ReadonlySet<Remedy['do']> = new Set(['say', 'install', 'check-rules', 'choose-path']);

const STEPS: { readonly [Do in Remedy['do']]?: Step<Extract<Remedy, { do: Do }>> } = {
  'edit-server': ({ ward, remedy, situation }) => ({ before: () => edit(ward, remedy, situation.knows) }),
  'set-secret': ({ hub, remedy, situation: { knows } }) => ({
    before: () =>
      hub.secrets.set({ name: remedy.name, value: typeof knows === 'string' ? knows : 'some-key' }),
    after: async () => {
      const { server: id } = remedy;
      if (id !== undefined) await Promise.allSettled([hub.servers.restart({ id })]);
    },
  }),
  restart: ({ hub, remedy }) => ({
    after: () => Promise.allSettled([hub.servers.restart({ id: remedy.server })]),
  }),
  disable: ({ hub, remedy }) => ({ before: () => hub.servers.disable({ id: remedy.server }) }),
  trust: ({ hub, remedy }) => ({ before: () => hub.servers.trust({ id: remedy.server }) }),
  check: ({ hub, row: { fix } }) => ({
    before: async () => fix && (await hub.doctor.fix({ fixes: [fix.id] })),
  }),
  run: ({ ward, remedy }) => typed(ward, remedy),
  'choose-port': ({ remedy: { holder } }) => ({
    before: async () => process.kill(Number(/\(pid (\d+)\)/.exec(holder ?? '')?.[1])),
  }),
  'choose-path': () => ({}),
  wait: () => ({}),
  retry: () => ({}),
  say: () => ({}),
  install: () => ({}),
  'check-rules': () => ({}),
};

/** The command, as a person types it. */
function typed(ward: Ward, remedy: Remedy): { readonly before: () => Promise<unknown> } {
  const options = { cwd: ward.project, env: { HOME: ward.home, PATH: `${ward.bin}:/usr/bin:/bin` } };
  return { before: () => promisify(execFile)('sh', ['-c', commandOf(remedy)], options) };
}

async function edit(
  ward: Ward,
  { field = '', to, file }: Extract<Remedy, { do: 'edit-server' }>,
  knows: Situation['knows'],
): Promise<void> {
  const hub = await ward.hub();
  const right = (before: object): Json => {
    const value = typeof knows === 'function' ? knows(partOf(before, field), ward) : (knows ?? to);
    if (value === undefined) throw new Error(`Nothing is known to put into “${field}”.`);
    return value;
  };
  if (file === undefined) {
    const definition = await hub.servers.definition({ id: 'sick' });
    const endpoint = set(
      { ...definition.endpoint },
      field,
      right(definition.endpoint),
    ) as typeof definition.endpoint; // only a value changed
    await hub.servers.add({ definition: { ...definition, endpoint }, replace: true, test: false });
    return;
  }
  const text = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: { sick: JsonObject } }; // the ward wrote it
  const sick = set(text.mcpServers.sick, field, right(text.mcpServers.sick));
  writeFileSync(file, JSON.stringify({ ...text, mcpServers: { ...text.mcpServers, sick } }));
  await hub.servers.reload();
}

function partOf(of: object, field: string): unknown {
  return field
    .split('.')
    .reduce((part: unknown, name) => (part instanceof Object ? Reflect.get(part, name) : undefined), of);
}

/** `env.TOKEN` names a part of `env`. */
function set(of: object, field: string, value: Json): JsonObject {
  const [name = '', ...rest] = field.split('.');
  const before: unknown = Reflect.get(of, name);
  const inner = typeof before === 'object' && before !== null ? before : {};
  return { ...(of as JsonObject), [name]: rest.length === 0 ? value : set(inner, rest.join('.'), value) };
}

/** A program of this name on the person's PATH, which leaves a file of the same name behind. */
export function standIn(ward: Ward, name: string): string {
  const left = join(ward.home, `${name}-was-run`);
  ward.write(join(ward.bin, name), `#!/bin/sh\necho "$@" > '${left}'\n`, 0o755);
  return left;
}

/** In a server's program: whether a file is there. */
export function exists(file: string): string {
  return `require('fs').existsSync(${JSON.stringify(file)})`;
}

/** A server in one line of Node: `begin` runs before it hears anything, and may end it. */
export function local(begin = '', more: JsonObject = {}): JsonObject {
  // Encoded: a program's braces would be read as values to fill in.
  const text = Buffer.from(`${begin};${SERVER}`).toString('base64');
  const run = `require('vm').runInThisContext(Buffer.from('${text}','base64').toString())`;
  return { command: process.execPath, args: ['-e', `globalThis.require=require;${run}`, '--'], ...more };
}

/** Ends with these lines on stderr unless the condition holds. */
export function endsUnless(condition: string, stderr: string, code = 1): JsonObject {
  return local(
    `if(!(${condition})){require('fs').writeSync(2,${JSON.stringify(stderr)});process.exit(${code})}`,
  );
}

export function argsOf(entry: JsonObject): Json[] {
  return entry['args'] as Json[]; // `local` made it
}

export function withWord(word: string, entry: JsonObject): JsonObject {
  return { ...entry, args: [...argsOf(entry), word] };
}

const ANSWERS = `
const answer = {
  initialize: () => ({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } } }),
  'tools/list': () => ({ result: { tools: [{ name: 'list_notes', description: 'Lists notes.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] } }),
  'tools/call': () => ({ result: { content: [{ type: 'text', text: 'two notes' }] } }),
  ping: () => ({ result: {} }),
  ...(globalThis.other ?? {}),
};
`;

const SERVER = `${ANSWERS}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const said = (answer[method] ?? (() => ({ error: { code: -32601, message: 'unknown' } })))();
  if (said) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
});
`;
