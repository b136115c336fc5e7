import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Hub, HubEvent } from '../../src/hub/hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { published, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { played, writing } from './calls-played.ts';
import { openWorld, waitingCall, yes } from './policy-world.ts';

const LONG_MS = 40_000;

verifies(
  ['P5'],
  'the card says everything a person needs, with secrets masked, and what is new since the last yes',
  async () => {
    const { connect, ask, notes } = await openWorld([writing()]);
    const [program, person] = [connect(), connect('terminal')];
    const first = await ask(program, { to: 'ada', password: 'a-password-of-mine' });
    expect(first.card).toMatchObject({
      server: 'notes',
      tool: 'create_note',
      risk: 'write',
      requester: { kind: 'program' },
      decision: { effect: 'ask', by: { kind: 'default', path: 'call.write' } },
    });
    expect(first.card.decision.reason).toMatch(/notes\/create_note/);
    expect(first.card.args['to']).toBe('ada');
    const seen = await person.approvals.get({ id: first.card.id });
    expect(JSON.stringify(seen)).not.toContain('a-password-of-mine');
    expect(Object.keys(seen.args)).toEqual(['to', 'password']);
    await person.approvals.answer({ id: first.card.id, ...yes(first.card) });
    await first.answer;
    // What was masked for the person is what the server got.
    expect(notes.calls()[0]?.args).toEqual({ to: 'ada', password: 'a-password-of-mine' });

    const second = await ask(program, { to: 'bob', password: 'a-password-of-mine' });
    expect(second.card.changes).toEqual([{ path: 'to', before: 'ada', after: 'bob' }]);
    await person.approvals.answer({ id: second.card.id, ...yes(second.card) });
    await second.answer;
    const audited = JSON.stringify((await person.audit.query()).records);
    expect(audited).toContain('"bob"');
    expect(audited).not.toContain('a-password-of-mine');
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'a call that writes a file shows the difference to the person, and never to the program that asked',
  async () => {
    const { connect } = await openWorld([]);
    const [program, person] = [connect(), connect('terminal')];
    const folder = temporaryFolder();
    const path = `${folder}/plan.txt`;
    writeFileSync(path, 'one\nthe old line\nthree\n');
    const { command, args } = published('filesystem', folder);
    await program.servers.add({
      definition: defineServer({ id: 'files', endpoint: { kind: 'stdio', command, args, env: {} } }),
    });
    const content = 'one\nthe new line\nthree\n';
    const { card, answer } = await waitingCall(program, 'files/write_file', { path, content });
    const toProgram = [
      card,
      await program.approvals.get({ id: card.id }),
      ...(await program.approvals.list()),
    ];
    expect(JSON.stringify(toProgram)).not.toContain('the old line');
    const { preview, risk } = await person.approvals.get({ id: card.id });
    expect(risk).toBe('destructive');
    expect(preview).toMatchObject({ kind: 'file', path, isDiff: true });
    expect(preview?.text.split('\n')).toEqual(expect.arrayContaining(['-the old line', '+the new line']));
    expect(readFileSync(path, 'utf8')).toContain('the old line');
    await person.approvals.answer({ id: card.id, ...yes(card) });
    await answer;
    expect(readFileSync(path, 'utf8')).toBe(content);

    const fresh = await waitingCall(program, 'files/write_file', {
      path: `${folder}/new.txt`,
      content: 'new',
    });
    expect((await person.approvals.get({ id: fresh.card.id })).preview).toMatchObject({ isDiff: false });
    await person.approvals.answer({ id: fresh.card.id, effect: 'deny', argsHash: fresh.card.argsHash });
    await expect(fresh.answer).rejects.toMatchObject({ code: 'denied' });
    expect(existsSync(`${folder}/new.txt`)).toBe(false);
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'two projects that call different servers by one name each hear of their own approvals only',
  async () => {
    const { connect } = await openWorld([]);
    const projects = await Promise.all(['ada', 'bob'].map((name) => openProject(name, connect)));
    const [ada, bob] = projects as [Project, Project];
    const { card, answer } = await waitingCall(ada.hub, 'notes/create_note', {});
    await connect('terminal').approvals.answer({ id: card.id, ...yes(card) });
    await answer;
    await waitFor(() => ada.heard.length === 2);
    const other = await waitingCall(bob.hub, 'notes/create_note', {});
    await connect('terminal').approvals.answer({ id: other.card.id, ...yes(other.card) });
    await other.answer;
    await waitFor(() => bob.heard.length === 2);
    expect(ada.heard).toEqual([`approval-request ${card.id}`, `approval-answer ${card.id}`]);
    expect(bob.heard).toEqual([`approval-request ${other.card.id}`, `approval-answer ${other.card.id}`]);
    expect(projects.map(({ calls }) => calls().length)).toEqual([1, 1]);
  },
  LONG_MS,
);

interface Project {
  readonly hub: Hub;
  readonly heard: readonly string[];
  readonly calls: () => readonly unknown[];
}

/** A folder whose own file names a server `notes`. */
async function openProject(
  name: string,
  connect: (kind: 'library', folder: string) => Hub,
): Promise<Project> {
  const folder = temporaryFolder();
  const server = played('notes', writing('create_note', { text: name }));
  const [command, ...args] = server.command;
  writeFileSync(`${folder}/mcp.json`, JSON.stringify({ mcpServers: { notes: { command, args } } }));
  const hub = connect('library', folder);
  await hub.servers.trust({ id: 'notes' });
  await hub.servers.ensureStarted();
  const heard: string[] = [];
  const listen = async (): Promise<void> => {
    for await (const event of hub.watch()) {
      const said = idOf(event);
      if (said !== undefined) heard.push(`${event.kind} ${said}`);
    }
  };
  void listen();
  return { hub, heard, calls: server.calls };
}

function idOf(event: HubEvent): string | undefined {
  if (event.kind === 'approval-request') return event.approval.id;
  return event.kind === 'approval-answer' ? event.id : undefined;
}
