import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { published } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { newPlug, type Plug } from './plug-command.ts';
import { startInTerminal, type Typing } from './typed-plug.ts';

const LONG_MS = 60_000;
const QUESTION = /Allow it\? \[y[^\]]*\] /;

interface World {
  readonly plug: Plug;
  readonly file: string;
  /** The call typed in a terminal of its own, up to the question. */
  readonly write: (text: string) => Promise<Typing>;
  readonly content: () => string | undefined;
}

/** A `plug` with the published filesystem server, which really writes files. */
async function openWorld(): Promise<World> {
  const folder = temporaryFolder();
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { rules: 'shipped' });
  const { command, args } = published('filesystem', folder);
  expect((await plug('add', 'files', '--yes', '--', command, ...args)).code).toBe(0);
  const file = join(folder, 'note.txt');
  return {
    plug,
    file,
    write: async (text) => {
      const typing = startInTerminal(plug, ['call', 'files/write_file', `path=${file}`, `content=${text}`]);
      await typing.says(QUESTION);
      return typing;
    },
    content: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
  };
}

verifies(
  ['P5'],
  'a write typed at a terminal shows its card there, runs on y and not on n',
  async () => {
    const { write, content, file } = await openWorld();
    const yes = await write('first');
    expect(content()).toBeUndefined();
    yes.type('y');
    const allowed = await yes.answer;
    expect(allowed.code).toBe(0);
    for (const said of ['files', 'write_file', file, '"first"']) expect(allowed.stdout).toContain(said);
    expect(content()).toBe('first');
    const no = await write('second');
    no.type('n');
    expect((await no.answer).code).toBe(1);
    expect(content()).toBe('first');
  },
  LONG_MS,
);

verifies(
  ['P5', 'P6'],
  'the question at a terminal goes away when it is answered from elsewhere',
  async () => {
    const { plug, write, content } = await openWorld();
    const typing = await write('from elsewhere');
    const { approvals } = (await plug.json('approvals')) as { approvals: readonly { id: string }[] };
    expect(approvals).toHaveLength(1);
    expect((await plug('approve', approvals[0]?.id ?? '')).code).toBe(0);
    const { code, stdout } = await typing.answer;
    expect(code).toBe(0);
    expect(stdout).toContain('it was allowed elsewhere');
    expect(content()).toBe('from elsewhere');
    expect((await plug.json('approvals'))['approvals']).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['P4', 'P5'],
  '“this tool always” is kept as a grant that can be seen and taken back',
  async () => {
    const { plug, file } = await openWorld();
    // What destroys nothing may be allowed for good; write_file says of itself that it does.
    const make = (name: string): readonly string[] => [
      'call',
      'files/create_directory',
      `path=${file}-${name}`,
    ];
    const typing = startInTerminal(plug, make('one'));
    await typing.says(QUESTION);
    typing.type('t');
    expect((await typing.answer).code).toBe(0);
    expect((await plug(...make('two'))).code).toBe(0);
    const { grants } = (await plug.json('grants', 'list', 'files')) as { grants: readonly { id: string }[] };
    expect(grants).toHaveLength(1);
    expect((await plug('grants', 'revoke', grants[0]?.id ?? '')).code).toBe(0);
    expect((await plug(...make('three'))).code).toBe(3);
    expect(['one', 'two', 'three'].map((name) => existsSync(`${file}-${name}`))).toEqual([true, true, false]);
  },
  LONG_MS,
);

verifies(
  ['P7'],
  'without a terminal a write exits 3 and names the grant command, and that command lets it run',
  async () => {
    const { plug, content, file } = await openWorld();
    const call = ['call', 'files/write_file', `path=${file}`, 'content=granted'];
    const refused = await plug(...call);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(content()).toBeUndefined();
    const document = await plug('--json', ...call);
    const { error } = JSON.parse(document.stdout) as { error: { code: string; next: string } };
    expect(error.code).toBe('approval_required');
    expect(error.next).toMatch(/^plug grants add files\/write_file( --once)?$/);
    expect(refused.stderr).toContain(`next   ${error.next}`);
    // Exactly the line that was named, word for word.
    expect((await plug(...error.next.split(' ').slice(1))).code).toBe(0);
    expect((await plug(...call)).code).toBe(0);
    expect(content()).toBe('granted');
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'Ctrl-C at the card stops the call, and nothing waits any more',
  async () => {
    const { plug, write, content } = await openWorld();
    const typing = await write('never');
    typing.type('\u0003');
    expect((await typing.answer).code).toBe(130);
    expect(content()).toBeUndefined();
    expect((await plug.json('approvals'))['approvals']).toEqual([]);
  },
  LONG_MS,
);
