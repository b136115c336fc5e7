import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ModelProvider } from '../../src/hub/hub.ts';
import { text, type ScriptedModel } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { LONG_MS, openChatWorld } from './chat-world.ts';
import { answerOf, everythingCommand, type Answer, type Plug } from './plug-command.ts';

/** One message through a pipe. */
function say(plug: Plug, message: string, ...argv: readonly string[]): Promise<Answer> {
  return answerOf(plug.begin(['chat', ...argv], `${message}\n`));
}

/** A tool as a provider is sent it, whatever it calls the parts. */
interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** Where each provider documents that the tools of a request stand. */
const SENT: Readonly<Record<ModelProvider, (body: JsonObject) => readonly SentTool[]>> = {
  compatible: ({ tools }) =>
    (
      tools as unknown as { function: Record<'name' | 'description', string> & { parameters: JsonObject } }[]
    ).map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
  openai: ({ tools }) =>
    (
      tools as unknown as (Record<'type' | 'name' | 'description', string> & { parameters: JsonObject })[]
    ).map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
  anthropic: ({ tools }) =>
    (tools as unknown as (Record<'name' | 'description', string> & { input_schema: JsonObject })[]).map(
      ({ name, description, input_schema: schema }) => ({ name, description, schema }),
    ),
  google: ({ tools }) =>
    (
      tools as unknown as {
        functionDeclarations: (Record<'name' | 'description', string> & {
          parametersJsonSchema: JsonObject;
        })[];
      }[]
    ).flatMap(({ functionDeclarations }) =>
      functionDeclarations.map(({ name, description, parametersJsonSchema }) => ({
        name,
        description,
        schema: parametersJsonSchema,
      })),
    ),
};

function toolsIn({ requests }: ScriptedModel, provider: ModelProvider = 'compatible'): readonly SentTool[] {
  return SENT[provider](requests.at(-1)?.body ?? {});
}

/** Which servers' tools the model was shown. */
function serversIn(model: ScriptedModel): readonly string[] {
  const owners = toolsIn(model).flatMap(({ description }) => /^\[([a-z0-9-]+)/.exec(description)?.[1] ?? []);
  return [...new Set(owners)].toSorted();
}

const OWN = ['plug__read_result', 'suggest_server'];

verifies(
  ['T2', 'T8'],
  'chat sends every tool to each provider in its own shape, with server and risk before the server’s own text',
  async () => {
    const { plug, model } = await openChatWorld();
    // Published servers say nothing of some tools: those are of unknown risk.
    expect((await plug('add', 'everything', '--yes', '--', ...everythingCommand())).code).toBe(0);
    await plug.json('tools', 'risk', 'notes/fail', 'unknown');
    const known = (await plug.json('tools')) as {
      tools: readonly { ref: string; risk: string; description?: string; title?: string }[];
    };
    const marks: Readonly<Record<string, string>> = { read: '', write: ' WRITE', destructive: ' WRITE' };
    const expected = known.tools.map(({ ref, risk, description = '' }) => {
      const [server = '', tool = ''] = ref.split('/');
      return `${server} ${tool}: [${server}${marks[risk] ?? ' ?'}] ${description.trim()}`.trim();
    });
    expect(new Set(known.tools.map(({ risk }) => risk))).toEqual(new Set(['read', 'write', 'unknown']));
    for (const provider of Object.keys(SENT) as ModelProvider[]) {
      const url = provider === 'google' ? model.googleUrl : model.url;
      const add = ['model', 'add', provider, provider, 'scripted', '--url', url, '--key', '-'];
      expect((await answerOf(plug.begin(add, 'sk-test-0123456789\n'))).code).toBe(0);
      model.answer(text('ok'));
      expect((await say(plug, 'Hello', '--model', provider)).code).toBe(0);
      const sent = toolsIn(model, provider);
      const theirs = sent.filter(({ name }) => !OWN.includes(name));
      // The name leads back to the tool, and the text begins with whose it is.
      const shown = theirs.map(({ name, description }) => {
        const [server = '', ...tool] = name.replace(/^mcp__/, '').split('__');
        return `${server} ${tool.join('__')}: ${description}`;
      });
      expect({ provider, shown: shown.toSorted() }).toEqual({ provider, shown: expected.toSorted() });
      for (const { name, schema } of sent)
        expect({ name, schema }).toMatchObject({ schema: { type: expect.stringMatching(/^object$/i) } });
      expect(sent.filter(({ name }) => OWN.includes(name))).toHaveLength(OWN.length);
    }
  },
  LONG_MS,
);

verifies(
  ['A1'],
  'a restriction that names no server stops the turn: nothing is sent, and the near name is said',
  async () => {
    const { plug, model } = await openChatWorld();
    expect((await plug('add', 'filesystem', '--yes', '--', ...everythingCommand())).code).toBe(0);
    const sends = async (message: string): Promise<readonly string[]> => {
      model.answer(text('ok'));
      // All tools, so that only a restriction leaves servers out.
      expect({ message, code: (await say(plug, message, '--mode', 'all')).code }).toEqual({
        message,
        code: 0,
      });
      return serversIn(model);
    };
    expect(await sends('Hello')).toEqual(['filesystem', 'notes']);
    expect(await sends('using filesystem: list what is there')).toEqual(['filesystem']);
    const asked = model.requests.length;
    const misspelt = {
      'using filesystm: list what is there': ['filesystem'],
      'Using fielsystem: list what is there': ['filesystem'],
      'use the filesystme server: list what is there': ['filesystem'],
      'with filesystm and nots: list what is there': ['filesystem'],
      'using filesystm and notes: list what is there': ['filesystem'],
      '@filesystm list what is there': ['filesystem'],
      '@qqzzy list what is there': [],
      'using qqzzy: list what is there': [],
    };
    const { code, stdout } = await say(plug, Object.keys(misspelt).join('\n'), '--json');
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      turns: Object.entries(misspelt).map(([message, suggestions]) => ({
        message,
        error: { code: 'not_found', details: { suggestions } },
      })),
    });
    for (const message of ['using filesystm: list', '@qqzzy list']) {
      writeFileSync(join(plug.cwd, 'said.md'), `${message}\n`);
      expect((await plug('run', 'said.md')).code, message).toBe(6);
    }
    expect(model.requests).toHaveLength(asked);
    // What is no restriction is none.
    for (const prose of [
      'Use the following words: apple, pear',
      'Post "@channel, lunch is ready" to me@qqzzy.org',
    ])
      expect(await sends(prose)).toEqual(['filesystem', 'notes']);

    const before = model.requests.length;
    writeFileSync(join(plug.cwd, 'p.md'), '---\nservers: [filesystm]\n---\nList what is there.\n');
    writeFileSync(join(plug.cwd, 'q.md'), 'List what is there.\n');
    for (const argv of [
      ['p.md'],
      ['q.md', '--servers', 'filesystm'],
      ['q.md', '--servers', 'notes,filesystm'],
    ]) {
      const { code, stdout } = await plug('--json', 'run', ...argv);
      expect(code).toBe(6);
      expect(JSON.parse(stdout)).toMatchObject({
        error: { code: 'not_found', details: { suggestions: ['filesystem'] } },
      });
    }
    expect((await plug('chat', '--servers', 'filesystm')).code).toBe(6);
    expect(model.requests).toHaveLength(before);
    model.answer(text('ok'));
    expect((await plug('run', 'q.md', '--servers', 'FileSystem')).code).toBe(0);
    expect(serversIn(model)).toEqual(['filesystem']);
  },
  LONG_MS,
);
