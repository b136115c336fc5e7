import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patience } from '../../../test/suite/patience.ts';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { createRedactor } from '../../base/redact.ts';
import type { Approval } from '../approval.ts';
import { Approvals, type ApprovalsOptions } from './approvals.ts';
import { previewOf } from './preview.ts';

const readText: NonNullable<ApprovalsOptions['readText']> = (path) => readFile(path, 'utf8');

/** The card as people see it, and as the caller is told of it. */
async function ask(
  args: JsonObject,
  server: { readonly local: boolean },
  read: ApprovalsOptions['readText'] = readText,
): Promise<{ card: Approval; told: Approval }> {
  const redactor = createRedactor();
  redactor.learn('canary-in-a-file');
  const approvals = new Approvals({
    clock: systemClock,
    ids: systemIds,
    limits: { ...limits, previewReadMs: patience(100) },
    mask: (each) => redactor.redactValue(each),
    ...(read ? { readText: read } : {}),
  });
  const waits = Promise.withResolvers<Approval>();
  const outcome = approvals.request({
    principal: 'local',
    requester: { kind: 'host', id: 'host-1' },
    server: { id: 'files', key: 'key', ...server },
    tool: 'write_file',
    risk: 'write',
    args,
    decision: {
      effect: 'ask',
      by: { kind: 'default', path: 'call.write' },
      reason: 'It writes.',
      offers: ['once'],
    },
    onWaiting: waits.resolve,
  });
  const told = await waits.promise;
  const [card] = approvals.list();
  approvals.close();
  await outcome;
  if (!card) throw new Error('nothing waits');
  return { card, told };
}

async function inFolder(prove: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plug-preview-'));
  try {
    await prove(join(folder, 'notes.md'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

verifies(['P5'], 'a call that writes a file of this machine shows a diff against the file as it is', () =>
  inFolder(async (path) => {
    await writeFile(path, 'one\ntwo canary-in-a-file\nthree\n');
    const { card } = await ask({ path, content: 'one\n2\nthree\n' }, { local: true });
    expect(card.preview).toMatchObject({ kind: 'file', path, isDiff: true, fromDisk: true });
    expect(card.preview?.text).toContain(' one\n-two [secret]\n+2\n three');
    const edits = [{ oldText: 'three', newText: 'tree' }];
    const edited = await ask({ path, edits }, { local: true });
    expect(edited.card.preview?.text).toContain('-three\n+tree');
    expect(edited.card.preview?.text).toContain(' one');
  }),
);

verifies(['P6'], 'the caller does not learn the text of a file from the question about it', () =>
  inFolder(async (path) => {
    await writeFile(path, 'private words\n');
    const { card, told } = await ask({ path, content: 'x\n' }, { local: true });
    expect(JSON.stringify(card)).toContain('private words');
    expect(JSON.stringify(told)).not.toContain('private words');
    expect(told.id).toBe(card.id);
  }),
);

test('a new file, a file far away and one that cannot be read in time show the new text', () =>
  inFolder(async (path) => {
    const text = { kind: 'file', path, isDiff: false, text: 'hello\n' };
    expect((await ask({ path, content: 'hello\n' }, { local: true })).card.preview).toEqual(text);
    await writeFile(path, 'there already\n');
    expect((await ask({ path, content: 'hello\n' }, { local: false })).card.preview).toEqual(text);
    const never = (): Promise<string> => new Promise(() => undefined);
    expect((await ask({ path, content: 'hello\n' }, { local: true }, never)).card.preview).toEqual(text);
  }));

test('an edit shows a diff of what it replaces, without any file', () => {
  const shapes: JsonObject[] = [
    { file_path: '/x/a.ts', old_string: 'let a', new_string: 'const a' },
    { path: '/x/a.ts', edits: [{ oldText: 'let a', newText: 'const a' }] },
    { filePath: '/x/a.ts', oldStr: 'let a', newStr: 'const a' },
  ];
  for (const args of shapes) {
    const preview = previewOf(args, { limits });
    expect(preview).toMatchObject({ kind: 'file', path: '/x/a.ts', isDiff: true });
    expect(JSON.stringify(preview)).toContain(String.raw`-let a\n\\ No newline at end of file\n+const a`);
  }
});

test('a long body is previewed as text, a diff as it is, and a word not at all', () => {
  const body = 'Dear all,\nhello.';
  expect(previewOf({ to: 'a@x.test', body }, { limits })).toEqual({
    kind: 'text',
    path: 'body',
    isDiff: false,
    text: body,
  });
  const patch = '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y';
  expect(previewOf({ patch }, { limits })).toMatchObject({ isDiff: true, text: patch });
  expect(previewOf({ text: 'hi' }, { limits })).toBeUndefined();
  expect(previewOf({ path: '/x', depth: 2 }, { limits })).toBeUndefined();
});

test('a huge text is cut and says so', () => {
  const preview = previewOf({ path: '/x', content: 'x'.repeat(200_000) }, { limits });
  expect(JSON.stringify(preview)).toContain(`… ${200_000 - limits.previewCharsMax} more characters`);
});
