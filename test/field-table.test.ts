import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { clients } from '../src/servers/clients/clients.ts';
import {
  type Becomes,
  isWrittenBy,
  KEPT_FIELDS,
  type KeptBecause,
  namesOf,
  OUR_FIELDS,
  TIME_FIELDS,
} from '../src/servers/entry/table.ts';
import { root } from './pages.ts';
import { verifies } from './requirements.ts';

const MEANS: Readonly<Record<Becomes, string>> = {
  command: 'the program; a whole command line in one text is split, a list begins with the program',
  args: 'its arguments; numbers become texts, one text is split into words',
  env: 'its variables; numbers, `true` and `false` become texts',
  passed: 'variables that are only named: `${NAME}` each',
  cwd: 'the folder it starts in, from the folder of the file',
  url: 'the address; an address that ends in `/sse` speaks the old transport unless `type` or `httpUrl` says otherwise',
  headers: 'the headers of every request',
  headerVariables: 'headers whose value is in a variable: `${NAME}`',
  bearerVariable: '`Authorization: Bearer ${NAME}`',
  bearer: '`Authorization: Bearer …`',
  type: 'the transport: stdio, http, sse or ws; `remote` and `url` say nothing new',
  name: 'the name that is shown; the id comes from the key',
  disabled: 'disabled',
  enabled: 'switched on or off',
  allow: 'the only tools that are offered; `*` is all of them',
  deny: 'tools that are never offered',
  inputs: 'questions behind `${input:id}`; a default is the answer until you give another',
};

const BECAUSE: Readonly<Record<KeptBecause, string>> = {
  working: 'kept, not acted on: give here what the server needs of it',
  approval: 'kept, without effect: your own rules decide which calls ask first',
  other: 'kept, without effect',
};

const FIELDS: readonly Becomes[] = Object.keys(MEANS) as Becomes[]; // the same keys

const titles = (wrote: (name: (typeof clients)[number]['name']) => boolean): string =>
  clients.flatMap(({ name, title }) => (wrote(name) ? [title] : [])).join(', ');

/** `cmd` (goose) */
function shown(name: string): string {
  const by = titles((client) => isWrittenBy(name, client));
  return by === '' ? `\`${name}\`` : `\`${name}\` (${by})`;
}

function expectedRows(): readonly string[] {
  const times = [...TIME_FIELDS].flatMap(([name, meanings]) =>
    meanings.map(({ becomes, unitMs, of }) => {
      const by = of === undefined ? '' : ` (${titles((client) => client === of)})`;
      const what = becomes === 'callMs' ? 'limit of a call' : 'limit of a start';
      return row(`\`${name}\`${by}`, `${what}, in ${unitMs === 1 ? 'milliseconds' : 'seconds'}`);
    }),
  );
  const kept = [...KEPT_FIELDS].map(([name, { because, of }]) =>
    row(`\`${name}\` (${titles((client) => of.includes(client))})`, BECAUSE[because]),
  );
  return [
    ...FIELDS.map((field) => row(namesOf(field).map(shown).join(', '), MEANS[field])),
    ...times,
    ...kept,
  ];
}

function row(field: string, becomes: string): string {
  return `${field} | ${becomes}`;
}

verifies(['S19'], 'the page says for every known field of every client what it becomes', () => {
  const page = readFileSync(join(root, 'docs', 'config-files.md'), 'utf8');
  const section = page.slice(page.indexOf('## Entries of other clients'), page.indexOf('A bare `timeout`'));
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
        .join(' | '),
    );
  expect(rows).toEqual(expectedRows());
  for (const field of OUR_FIELDS) expect(page).toContain(`\`${field}\``);
});
