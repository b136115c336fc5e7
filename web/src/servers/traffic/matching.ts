import type { TrafficMessage } from '../../hub/hub-context.tsx';

export type Kind = 'all' | 'calls' | 'errors' | 'from-server';

export const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'all', label: 'All messages' },
  { value: 'calls', label: 'Tool calls' },
  { value: 'errors', label: 'Errors' },
  { value: 'from-server', label: 'Asked by the server' },
];

const FITS: Readonly<Record<Kind, (message: TrafficMessage) => boolean>> = {
  all: () => true,
  calls: ({ method }) => method === 'tools/call',
  errors: ({ kind, text }) => kind === 'error' || (kind === 'result' && text.includes('"isError":true')),
  'from-server': ({ kind, from }) => (from === 'server') === (kind === 'request' || kind === 'notification'),
};

/** Newest first. Every word must stand somewhere in the message. */
export function messagesMatching(
  messages: readonly TrafficMessage[],
  words: string,
  kind: Kind,
): readonly TrafficMessage[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return messages
    .filter((message) => {
      if (!FITS[kind](message)) return false;
      const text = wanted.length === 0 ? '' : `${message.method ?? ''} ${message.text}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .toReversed();
}
