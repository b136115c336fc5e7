import { spawn } from 'node:child_process';

type Message = Record<string, unknown>;

export interface EchoChild {
  /** Sends a request under an id of its own; the answer comes back under the one it was asked with. */
  ask(message: Message, answer: (message: Message) => void): void;
}

/**
 * What both floors share: the least that a proxy before a stdio server must do, which is to keep
 * the ids of its hosts apart. Lines of one tick go out in one write.
 */
export function startEchoChild(command: readonly string[]): EchoChild {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, { readonly id: unknown; readonly answer: (message: Message) => void }>();
  let next = 0;
  let out = '';
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message; // the echo server's
      const asked = waiting.get(message['id'] as number); // ours, as sent
      if (!asked) continue;
      waiting.delete(message['id'] as number);
      message['id'] = asked.id;
      asked.answer(message);
    }
  });
  return {
    ask: (message, answer) => {
      next += 1;
      waiting.set(next, { id: message['id'], answer });
      message['id'] = next;
      if (out === '') {
        process.nextTick(() => {
          child.stdin.write(out);
          out = '';
        });
      }
      out += `${JSON.stringify(message)}\n`;
    },
  };
}
