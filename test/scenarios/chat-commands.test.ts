import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { MCP_WORDS } from '../../src/cli/chat/mcp.ts';
import { verifies } from '../requirements.ts';
import { calls, text } from '../models/scripted-model.ts';
import { LONG_MS, openChatWorld, PROMPT } from './chat-world.ts';
import { everythingCommand } from './plug-command.ts';

verifies(
  ['U2', 'A5'],
  'with no model every slash command works, and a message sets up servers and is kept',
  async () => {
    const { plug, chat } = await openChatWorld({ withModel: false, rules: 'shipped' });
    const here = await chat();
    expect(here.shown()).toContain('no model yet');
    const typed = new Set<string>();
    const says = async (line: string, ...patterns: readonly RegExp[]): Promise<void> => {
      typed.add(line.split(' ').slice(0, 2).join(' '));
      here.type(`${line}\r`);
      for (const pattern of patterns) await here.shows(pattern);
      await here.shows(PROMPT);
    };
    await says('/help', /\/mcp /, /\/servers /, /\/quit/);
    await says('/mcp', /\/mcp list/, /\/mcp doctor/);
    await says('/mcp list', /● notes/);
    await says('/mcp tools notes', /notes\/write_note/);
    await says('/mcp status', /1 ready/);
    await says('/mcp doctor notes', /notes/, /No problems found|PASS|✔/);
    await says('/mcp refresh', /Config files: nothing changed\./, /✔ notes: 7 of 7 tools offered/);
    await says('/mcp allow notes write_note', /Granted: /, /Until the hub stops/);
    expect((await plug.json('grants', 'list'))['grants']).toMatchObject([{ session: true }]);
    await says('/mcp allow notes write_note --always', /Granted: /, /Kept/);
    expect((await plug.json('grants', 'list'))['grants']).toContainEqual(
      expect.objectContaining({ session: false }),
    );
    await says('/mcp revoke notes write_note', /Revoked: /);
    expect((await plug.json('grants', 'list'))['grants']).toEqual([]);
    await says('/mcp revoke notes', /Nothing is granted for notes/);
    await says('/mcp lst', /There is no \/mcp lst\. Did you mean \/mcp list\?/);
    await says('/sevrers', /There is no command “\/sevrers”\. Did you mean \/servers\?/);
    await says('/servers nots', /There is no server “nots”\. Did you mean notes\?/);
    await says('/servers notes', /only notes/);
    await says('/cost', /No messages yet/);
    await says('what do I have?', /You have one server/);
    here.type('\u001b[A');
    await here.shows(/what do I have/);
    here.type('\u0003');
    await here.shows(PROMPT);
    here.type('/mcp add everything -- ' + everythingCommand().join(' ') + '\r');
    await here.shows(/\[[yY]\/[nN]\] /);
    here.type('y\r');
    await here.shows(/✔ Connected to /);
    await here.shows(PROMPT);
    here.type('/mcp remove everything\r');
    await here.shows(/Remove everything .*\[y\/N\] /);
    here.type('\u0003');
    await here.shows(PROMPT);
    expect(JSON.stringify(await plug.json('list'))).toContain('"id": "everything"'.replace(' ', ''));
    here.type('/mcp remove everything\r');
    await here.shows(/Remove everything .*\[y\/N\] /);
    here.type('y\r');
    await here.shows(/everything is removed/);
    expect(JSON.stringify(await plug.json('list'))).not.toContain('"id":"everything"');
    // Every command of the table was tried here: these two with a question in between.
    const tried = [...typed, '/mcp add', '/mcp remove'].filter((line) => line.startsWith('/mcp '));
    expect(tried).toEqual(expect.arrayContaining(MCP_WORDS.map(({ word }) => `/mcp ${word}`)));
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2', 'A1'],
  '/servers, /model, /cost, /save, /new and Tab do what they say',
  async () => {
    const { plug, model, chat } = await openChatWorld();
    const second = ['model', 'add', 'dear', 'compatible', 'big', '--url', model.url];
    expect((await plug(...second, '--price-in', '1000', '--price-out', '2000')).code).toBe(0);
    model.answer(
      calls({ name: 'notes__write_note', args: { text: 'saved' } }),
      text('First.'),
      text('Second.'),
      text('Third.'),
    );
    const here = await chat();
    here.type('/ser\t');
    await here.shows(/\/servers /);
    here.type('not\t');
    await here.shows(/notes/);
    here.type('\r');
    await here.shows(/use only notes/);
    await here.shows(PROMPT);
    here.type('ask @no\t');
    await here.shows(/@notes/);
    here.type('first\r');
    await here.shows(/First\./);
    await here.shows(PROMPT);
    here.type('/model dear\r');
    await here.shows(/dear \(big\) now answers/);
    await here.shows(PROMPT);
    here.type('second\r');
    await here.shows(/Second\./);
    // Each answer says what it took.
    await here.shows(/11 tokens in, 7 out · \$0\.0250/);
    expect(model.requests.at(-1)?.body['model']).toBe('big');
    await here.shows(PROMPT);
    here.type('/cost\r');
    await here.shows(/TURN +MODEL +IN +OUT +CALLS +COST/);
    await here.shows(/1 +fast +22 +14 +1 +–/);
    await here.shows(/2 +dear +11 +7 +0 +\$0\.0250/);
    await here.shows(/all +33 +21 +1 +\$0\.0250/);
    await here.shows(PROMPT);
    const file = join(plug.cwd, 'talk.md');
    writeFileSync(file, 'mine');
    here.type('/save talk.md\r');
    await here.shows(/already exists\. Overwrite it\? \[y\/N\] /);
    here.type('\r');
    await here.shows(/left unchanged/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await here.shows(PROMPT);
    here.type('/save other.md\r');
    await here.shows(/Saved as other\.md/);
    const saved = readFileSync(join(plug.cwd, 'other.md'), 'utf8');
    for (const part of [
      '## You\n\nask @notes first',
      '✔ notes/write_note completed',
      '"text": "saved"',
      '## Model\n\nSecond.',
    ])
      expect(saved).toContain(part);
    expect(statSync(join(plug.cwd, 'other.md')).mode & 0o777).toBe(0o600);
    await here.shows(PROMPT);
    here.type('/new\r');
    await here.shows(PROMPT);
    here.type('third\r');
    await here.shows(/Third\./);
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).not.toContain('second');
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2', 'A1', 'P7'],
  'lines of a pipe are messages: no prompt, no color, plain rows; what would ask is refused with exit code 3',
  async () => {
    const { plug, model, log } = await openChatWorld({ rules: 'shipped' });
    const write = calls({ name: 'notes__write_note', args: { text: 'x' } });
    model.answer(text('One\u001b[31m.'), write, text('Refused.'), text('Again.'));
    const answer = async (...argv: readonly string[]) => {
      const child = plug.begin(['chat', ...argv], 'first\n/mcp list\nwrite\n');
      const chunks = { stdout: '', stderr: '' };
      child.stdout?.on('data', (chunk: Buffer) => (chunks.stdout += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (chunks.stderr += chunk.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      return { code, ...chunks };
    };
    const { code, stdout, stderr } = await answer();
    expect(stdout).toMatch(/^One\\x1b\[31m\.\n {2}SERVER[^]*notes[^]*\nRefused\.\n$/);
    for (const mark of ['\u001b', '›']) expect(stdout + stderr).not.toContain(mark);
    expect(stderr).toContain('Using notes/write_note…');
    expect(stderr).toMatch(/plug grants add notes\/write_note/);
    expect(code).toBe(3);
    expect(log()).toBe('');
    const json = plug.begin(['--json', 'chat'], 'hello\n');
    let document = '';
    json.stdout?.on('data', (chunk: Buffer) => (document += chunk.toString()));
    expect(await new Promise((resolve) => json.once('close', resolve))).toBe(0);
    expect(JSON.parse(document)).toMatchObject({
      turns: [{ message: 'hello', end: 'done', text: 'Again.', calls: [] }],
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  },
  LONG_MS,
);
