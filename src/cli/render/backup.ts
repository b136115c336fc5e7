import { isObject, type JsonObject } from '../../base/json.ts';
import type { Backup, RestoredThing, RestoreOutcome } from '../../hub/hub.ts';
import { faint, strong, type Output, type Style } from '../output.ts';

export function contentsInWords(contents: JsonObject): string {
  const counted = Object.entries(CONTENTS).map(([kind, words]): [readonly [string, string], number] => {
    const items = contents[kind];
    return [words, Array.isArray(items) ? items.length : 0];
  });
  return listInWords(counted);
}

export function leftOutInWords({ contents, secrets }: Backup): readonly string[] {
  const rows = (kind: string): readonly Record<string, unknown>[] => {
    const items = contents[kind];
    return Array.isArray(items) ? items.filter(isObject) : [];
  };
  const where = secrets ? 'so it is in the sealed part' : 'so it is not in the backup';
  return [
    ...rows('leftOut').map(
      ({ name }) => `${String(name)} holds a secret that cannot be taken out, ${where}.`,
    ),
    ...rows('elsewhere').map(
      ({ server, file }) => `${String(server)} is defined in ${String(file)}: copy that file yourself.`,
    ),
  ];
}

export function renderRestore(
  outcome: RestoreOutcome,
  { done, out }: { readonly done: boolean; readonly out: Output },
): void {
  const { restored, kept, failed, todo } = outcome;
  const section = (title: string, style: Style, mark: string, things: readonly RestoredThing[]): void => {
    if (things.length === 0) return;
    const byKind = [...Map.groupBy(things, ({ kind }) => kind)];
    out.line(strong(`${title}: `), listInWords(byKind.map(([kind, own]) => [KINDS[kind], own.length])));
    for (const { kind, name, says } of things.filter(({ kind: one }) => SHOWN.has(one))) {
      const about = says === undefined ? '' : ` — ${says}`;
      out.line({ style, text: `  ${mark} ` }, name, faint(` ${kind}${about}`));
    }
  };
  section(done ? 'Restored' : 'To be restored', 'good', done ? '✔' : '+', restored);
  section('Here already, stays', 'faint', '=', kept);
  for (const { kind, name, reason } of failed)
    out.line({ style: 'bad', text: '  ✖ ' }, `${name} (${kind}): ${reason}`);
  if (restored.length + kept.length + failed.length === 0) out.line('The backup is empty.');
  if (todo.length > 0) out.line(strong(done ? 'Left to do:' : 'Then left to do:'));
  for (const line of todo) out.line({ style: 'warn', text: '  • ' }, line);
}

function listInWords(counted: readonly (readonly [readonly [string, string], number])[]): string {
  const parts = counted
    .filter(([, count]) => count > 0)
    .map(([[one, many], count]) => `${count} ${count === 1 ? one : many}`);
  const last = parts.pop();
  if (last === undefined) return 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

const SHOWN: ReadonlySet<RestoredThing['kind']> = new Set(['server', 'file', 'rules', 'model', 'secret']);

const KINDS: Readonly<Record<RestoredThing['kind'], readonly [string, string]>> = {
  server: ['server', 'servers'],
  setting: ['setting of a server', 'settings of servers'],
  profile: ['profile', 'profiles'],
  grant: ['grant', 'grants'],
  pin: ['approved tool', 'approved tools'],
  tool: ['setting of a tool', 'settings of tools'],
  model: ['model', 'models'],
  account: ['account', 'accounts'],
  rules: ['rules file', 'rules files'],
  file: ['file', 'files'],
  secret: ['secret', 'secrets'],
  trust: ['word of trust', 'words of trust'],
};

const CONTENTS: Readonly<Record<string, readonly [string, string]>> = {
  servers: KINDS.server,
  overrides: KINDS.setting,
  profiles: KINDS.profile,
  grants: KINDS.grant,
  pins: KINDS.pin,
  tools: KINDS.tool,
  serverTrust: KINDS.trust,
  models: KINDS.model,
  accounts: KINDS.account,
  files: KINDS.file,
};
