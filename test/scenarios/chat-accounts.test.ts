import { expect, onTestFinished } from 'vitest';
import type { Agent } from '../../src/hub/agent.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { commandsOn } from '../contracts/commands-on.ts';
import { QUICK } from '../models/agent-world.ts';
import { calls, startScriptedModel, text, type ScriptedModel } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { programFile } from '../suite/program-file.ts';
import { openWorld } from './policy-world.ts';
import { runOnHub } from './run-on-hub.ts';

const LONG_MS = 60_000;
const FIRST = 'first-canary-7f3a9b2c5d8e1f40';
const SECOND = 'second-canary-5d8e1f407f3a9b2c';
const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' };

/** `acme` with the accounts “default” and “work”, and a model that asks it who it is called as. */
async function openAccounts(): Promise<{ readonly hub: Hub; readonly model: ScriptedModel }> {
  const openAgent = async (face: Hub): Promise<Agent> =>
    (await import('../../src/agent/open-agent.ts')).openAgent(face, { limits: QUICK });
  const { connect } = await openWorld([], { env, openAgent });
  const hub = connect('terminal');
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
  const plug = commandsOn(hub, { terminal: true });
  const server = [process.execPath, programFile('scenarios/asking-server')];
  expect(await plug(['add', 'acme', '--', ...server], 'y', FIRST)).toMatchObject({ code: 0 });
  expect(await plug(['auth', 'acme', '--account', 'work'], SECOND)).toMatchObject({ code: 0 });
  await hub.servers.trust({ id: 'acme' });
  return { hub, model };
}

verifies(
  ['V8'],
  'plug run and plug chat call as the account that is named, and an account that is not there runs nothing',
  async () => {
    const { hub, model } = await openAccounts();
    const answered = async (command: readonly string[]): Promise<string> => {
      model.answer(calls({ name: 'acme__whoami', args: {} }), text('Done.'));
      expect(await runOnHub(hub, command, { input: 'Who am I?\n' })).toMatchObject({ code: 0 });
      return JSON.stringify(model.requests.at(-1)?.body['messages']);
    };
    const [first, second] = [`key ends with ${FIRST.slice(-4)}`, `key ends with ${SECOND.slice(-4)}`];
    for (const command of [['run', '-'], ['chat']]) {
      expect(await answered(command)).toContain(first);
      expect(await answered([...command, '--account', 'work'])).toContain(second);
      expect(await answered([...command, '--account', 'acme=work'])).toContain(second);
      expect(await answered([...command, '--account', 'work,acme=default'])).toContain(first);
      const before = model.requests.length;
      for (const wrong of ['wrok', 'acme=wrok', 'acm=work']) {
        const { code, stderr } = await runOnHub(hub, [...command, '--account', wrong], { input: 'Who?\n' });
        expect([code, stderr]).toEqual([6, expect.stringContaining('Did you mean')]);
      }
      expect(model.requests).toHaveLength(before);
    }
  },
  LONG_MS,
);
