import { PlugError } from '../base/errors.ts';

export interface ReceivedEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads text/event-stream as the hub writes it. Comments are skipped; one event is bounded. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  eventBytesMax: number,
): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  // Parts of an unfinished event are joined once, when it ends: no quadratic copying.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    let text = decoder.decode(chunk, { stream: true });
    // An end that is split over two chunks shows only together with what came before.
    const last = parts.at(-1);
    if (last?.endsWith('\n') && text.startsWith('\n')) {
      parts.pop();
      text = last + text;
      length -= last.length;
    }
    const events = text.split('\n\n');
    const rest = events.pop() ?? '';
    for (const end of events) {
      const event = parseEvent(parts.join('') + end);
      parts = [];
      length = 0;
      if (event) yield event;
    }
    if (rest !== '') parts.push(rest);
    length += rest.length;
    if (length > eventBytesMax) throw tooLarge(eventBytesMax);
  }
}

function parseEvent(block: string): ReceivedEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}

function tooLarge(bytes: number): PlugError {
  return new PlugError('too_large', `The hub sent an event of more than ${bytes} bytes.`, {
    owner: 'plugboard',
  });
}
