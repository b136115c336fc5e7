import type { Params } from '../params.ts';
import { startLegacy } from './good.ts';
import { answerHandshake, type Message, readLines, refuseMethod, writeLine } from './lines.ts';

/** A good server whose stdout also carries what does not belong there. */
export async function noise(params: Params): Promise<void> {
  const garbage = Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x0a]);
  const makeNoise = (): void => {
    process.stdout.write('Server running on stdio…\n\n{"not":"json-rpc"}\n{broken json\n');
    process.stdout.write(garbage);
  };
  makeNoise();
  setInterval(makeNoise, 20).unref();
  await startLegacy(params);
}

/** Writes megabytes of stderr for as long as it lives, and still answers whoever reads them. */
export async function floodsStderr(params: Params): Promise<void> {
  const lines = `${'e'.repeat(1023)}\n`.repeat(64);
  setInterval(() => process.stderr.write(lines), 4).unref();
  await startLegacy(params);
}

/** Says `count=` times that its tools have changed, then never again. */
export async function storms(params: Params): Promise<void> {
  const onReady = (): void => {
    for (let each = 0; each < params.number('count', 1_000); each += 1) {
      writeLine({ method: 'notifications/tools/list_changed' });
    }
  };
  await startLegacy(params, { onReady });
}

/** Its list of tools has no last page; with `repeat=1` every page names the same next one. */
export function pagesForever(params: Params): void {
  readLines((message) => {
    if (answerHandshake(message)) return;
    if (message.method !== 'tools/list') return refuseMethod(message);
    const at = Number(message.params?.['cursor'] ?? 0);
    const tool = { name: `tool-${at}`, inputSchema: { type: 'object' } };
    const nextCursor = params.flag('repeat') ? '1' : String(at + 1);
    return writeLine({ id: message.id, result: { tools: [tool], nextCursor } });
  });
}

const answer = (text: string): Record<string, unknown> => ({ content: [{ type: 'text', text }] });
const error = { code: -32603, message: 'also an error' };

/** Each tool breaks the rules of JSON-RPC ids in its own way; only `right` is meant for the caller. */
const idTools: Record<string, (message: Message) => void> = {
  right: ({ id }) => writeLine({ id, result: answer('right') }),
  duplicate: ({ id }) => {
    writeLine({ id, result: answer('right') });
    writeLine({ id, result: answer('wrong: a second answer') });
  },
  'unknown-id': ({ id }) => {
    writeLine({ id: 999_999, result: answer('wrong: nobody asked') });
    writeLine({ id: 'nobody', error });
    writeLine({ id, result: answer('right') });
  },
  'other-type': ({ id }) => {
    const other = typeof id === 'number' ? String(id) : 0;
    writeLine({ id: other, result: answer('wrong: the id is of another type') });
    writeLine({ id, result: answer('right') });
  },
  'null-id': ({ id }) => {
    writeLine({ id: null, error });
    writeLine({ id, result: answer('right') });
  },
  both: ({ id }) => writeLine({ id, result: answer('a result'), error }),
  neither: ({ id }) => writeLine({ id }),
};

export function badIds(): void {
  readLines((message) => {
    if (answerHandshake(message)) return;
    if (message.method === 'tools/list') {
      const tools = Object.keys(idTools).map((name) => ({ name, inputSchema: { type: 'object' } }));
      return writeLine({ id: message.id, result: { tools } });
    }
    const run = message.method === 'tools/call' ? idTools[String(message.params?.['name'])] : undefined;
    return run ? run(message) : refuseMethod(message);
  });
}
