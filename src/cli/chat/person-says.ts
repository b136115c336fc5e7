import type { ChatMessage } from '../../hub/hub.ts';

export function personSays(text: string): ChatMessage {
  return { role: 'user', content: text };
}
