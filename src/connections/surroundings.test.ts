import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { hashManifest, type Manifest } from './manifest.ts';
import { manifestToKeep } from './known-servers.ts';

function manifest(tools: Readonly<Record<string, string>>, more: Partial<Manifest> = {}): Manifest {
  const whole = {
    server: 'one',
    fingerprint: 'f',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'one', version: '1' },
    capabilities: {},
    tools: Object.entries(tools).map(([name, description]) => ({ name, description })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
    problems: [],
    ...more,
  } as const;
  return { ...whole, fetchedAt: 1, hash: hashManifest(whole) };
}

const described = ({ tools }: Manifest): unknown =>
  Object.fromEntries(tools.map((tool) => [tool.name, tool['description']]));

verifies(['C12', 'C10'], 'what a server looks like from another folder is not a change of it', () => {
  const here = manifest({ read: 'in here', only: 'here' }, { place: 'here' });
  const there = manifest({ read: 'in there' }, { place: 'there' });
  expect(manifestToKeep(undefined, here, undefined)).toBe(here);
  expect(manifestToKeep(here, there, undefined)).toBe(here);
  expect(manifestToKeep(here, there, there)).toBe(here);
  // Neither does the connection that all share speak against it, nor the other way round.
  const shared = manifest({ read: 'in the hub' });
  expect(manifestToKeep(here, shared, undefined)).toBe(here);
  expect(manifestToKeep(shared, here, undefined)).toBe(shared);
});

verifies(['C10'], 'a real change is taken over, wherever it is noticed', () => {
  const here = manifest({ read: 'in here', only: 'here', old: 'o' }, { place: 'here' });
  const sameFolder = manifest({ read: 'changed' }, { place: 'here' });
  expect(manifestToKeep(here, sameFolder, undefined)).toBe(sameFolder);
  const newer = manifest({ read: 'in there' }, { place: 'there', serverInfo: { name: 'one', version: '2' } });
  expect(manifestToKeep(here, newer, undefined)).toBe(newer);

  const before = manifest({ read: 'in there', old: 'o' }, { place: 'there' });
  const resources = [{ uri: 'a:b' }];
  const after = manifest({ read: 'in there, now', fresh: 'f' }, { place: 'there', resources });
  const kept = manifestToKeep(here, after, before);
  expect(described(kept)).toEqual({ read: 'in there, now', only: 'here', fresh: 'f' });
  expect([kept.place, kept.resources]).toEqual(['here', resources]);
  expect(kept.hash).not.toBe(here.hash);
});
