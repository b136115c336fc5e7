import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { verifies } from '../../test/requirements.ts';
import { riskOf, type Risk, type RiskContext } from './risk.ts';

const riskOfNames = (names: string): readonly Risk[] => names.split(' ').map((name) => riskOf({ name }).risk);
const all = (risk: Risk, names: string): void => {
  expect(Object.fromEntries(names.split(' ').map((name) => [name, riskOf({ name }).risk]))).toEqual(
    Object.fromEntries(names.split(' ').map((name) => [name, risk])),
  );
};

verifies(['T3'], 'the name of a tool tells its risk, in every way of writing words', () => {
  all(
    'read',
    'list_issues getUser search-files read HTTPGet s3Get2 get.user LIST_ALL look_up_word mcp_getIssue',
  );
  all('write', 'create_issue sendMessage update-page writeFile2 s3Put POST_message issue.create');
  all('destructive', 'delete_repo dropTable get_and_remove force-reset s3Delete rm URLDelete');
  all('unknown', 'echo targeted forgetful widget readme getaway sequentialthinking');
});

test('behind a reading verb a word that is also a thing is the thing', () => {
  all('read', 'getComment get_pull_request list_commits get_merge_request get_workflow_run list_open_orders');
  all('write', 'comment merge_request order_pizza run_query get_and_comment find_or_create read_then_post');
  all('destructive', 'search_and_replace find_replace get_delete_all');
});

test('a word that reads only by chance does not make a read', () => {
  all('write', 'mark_as_read mark_read check_in check_out save_search start_search run_search');
  all('write', 'status_update list_update query_run view_share list_sync');
  all('read', 'status version get_status list_issues view_comment');
  all('unknown', 'shuffle_list sort_status history_track');
});

verifies(['T3'], 'no real tool that writes is taken for a read', () => {
  const labels = JSON.parse(
    readFileSync(new URL('../../test/data/risk-labels.json', import.meta.url), 'utf8'),
  ) as readonly { readonly server: string; readonly tool: string; readonly risk: Risk }[]; // our own file
  expect(labels.length).toBeGreaterThanOrEqual(200);
  const told = labels.map((label) => ({
    ...label,
    told: riskOf({ name: label.tool }, { server: label.server }).risk,
  }));
  expect(told.filter(({ risk, told: now }) => risk !== 'read' && now === 'read')).toEqual([]);
  // Asking for everything would keep that promise too: most reads are known as such.
  const reads = told.filter(({ risk }) => risk === 'read');
  expect(reads.filter(({ told: now }) => now === 'read').length / reads.length).toBeGreaterThan(0.6);
});

const told = (tool: JsonObject, context?: RiskContext): string => {
  const { risk, from } = riskOf({ name: 'get_user', ...tool }, context);
  return `${risk} by ${from}`;
};
const hinted = (name: string, annotations: JsonObject, trusted: boolean): string =>
  told({ name, annotations }, { trusted });

verifies(
  ['T3'],
  'a server that is not trusted may call its own tool more dangerous, but never harmless',
  () => {
    expect(hinted('delete_repo', { readOnlyHint: true }, false)).toBe('destructive by name');
    expect(hinted('create_repo', { readOnlyHint: true }, false)).toBe('write by name');
    expect(hinted('create_repo', { destructiveHint: false }, false)).toBe('write by name');
    expect(hinted('delete_repo', { destructiveHint: false, readOnlyHint: false }, false)).toBe(
      'destructive by name',
    );
    expect(hinted('echo', { readOnlyHint: true }, false)).toBe('unknown by nothing');
    expect(hinted('get_user', { readOnlyHint: false }, false)).toBe('write by annotations');
    expect(hinted('get_user', { destructiveHint: true }, false)).toBe('destructive by annotations');
    expect(hinted('echo', { openWorldHint: true, idempotentHint: true }, false)).toBe('unknown by nothing');
  },
);

test('G7: readOnlyHint of a server that is not trusted changes nothing, not even beside other hints', () => {
  const names = 'get_user echo create_repo delete_repo';
  const others = [{}, { destructiveHint: true }, { destructiveHint: false }, { openWorldHint: false }];
  for (const name of names.split(' ')) {
    for (const other of others) {
      expect(hinted(name, { ...other, readOnlyHint: true }, false)).toBe(hinted(name, other, false));
    }
  }
});

verifies(['T3'], 'the annotations of a trusted server decide, but never make a deletion a read', () => {
  expect(hinted('echo', { readOnlyHint: true }, true)).toBe('read by annotations');
  expect(hinted('create_summary', { readOnlyHint: true }, true)).toBe('read by annotations');
  expect(hinted('delete_repo', { readOnlyHint: true }, true)).toBe('destructive by name');
  expect(hinted('remove_label', { readOnlyHint: false, destructiveHint: false }, true)).toBe(
    'write by annotations',
  );
  expect(hinted('get_user', { readOnlyHint: false }, true)).toBe('write by annotations');
  expect(hinted('get_user', { destructiveHint: true }, true)).toBe('destructive by annotations');
  expect(hinted('echo', { openWorldHint: false }, true)).toBe('unknown by nothing');
  expect(hinted('echo', { readOnlyHint: 'true' }, true)).toBe('unknown by nothing');
});

verifies(['T3'], 'what the user says of a tool wins over everything', () => {
  const tool = { name: 'delete_repo', annotations: { destructiveHint: true } };
  expect(riskOf(tool, { override: 'read' })).toEqual({ risk: 'read', from: 'override' });
  expect(riskOf({ name: 'get_user' }, { override: 'destructive', trusted: true }).risk).toBe('destructive');
});

test('a description or a parameter may raise the risk and never lowers it', () => {
  expect(told({ description: 'Books a cab and charges the card.' })).toBe('write by definition');
  expect(told({ description: 'This tool deletes the user.' })).toBe('destructive by definition');
  expect(told({ name: 'delete_user', description: 'Gets a user.' })).toBe('destructive by name');
  const takes = (properties: JsonObject): string => told({ inputSchema: { properties } });
  expect(takes({ id: {} })).toBe('read by name');
  expect(takes({ output_path: {} })).toBe('write by definition');
  expect(takes({ sql: {} })).toBe('unknown by definition');
  expect(takes({ action: { enum: ['list', 'create', 'delete'] } })).toBe('destructive by definition');
  expect(takes({ method: { enum: ['GET', 'POST'] } })).toBe('write by definition');
  expect(takes({ type: { enum: ['post', 'comment', 'open'] } })).toBe('read by name');
});

test('B7: a name with letters of another alphabet is never taken for a read', () => {
  expect(riskOfNames('get_dеlete ｇｅｔ_user get_天气 查询 getUser\u200b')).toEqual(Array(5).fill('unknown'));
  expect(riskOf({ name: 'ｄｅｌｅｔｅ_user' }).risk).toBe('destructive');
});

test('the id of its server in a name is no word of it', () => {
  expect(riskOf({ name: 'git_status' }, { server: 'git' }).risk).toBe('read');
  expect(riskOf({ name: 'git_status' }).risk).toBe('unknown');
  expect(riskOf({ name: 'delete' }, { server: 'delete' }).risk).toBe('destructive');
  expect(riskOf({ name: 'delete_get' }, { server: 'delete' }).risk).toBe('destructive');
});
