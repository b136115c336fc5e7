import { PlugError } from '../base/errors.ts';
import type { ChatOutcome, ModelView } from '../hub/hub.ts';
import type { Answer } from './answer.ts';

/** How a turn ended whose last answer came whole, and what is to be said about it. */
export function lastWords({ finish, text }: Pick<Answer, 'finish' | 'text'>): {
  readonly end: ChatOutcome['end'];
  readonly note?: string;
} {
  if (finish === 'length') {
    return { end: 'length', note: 'The model stopped because its answer became too long. Ask it to go on.' };
  }
  if (finish === 'content-filter') {
    return { end: 'done', note: 'The provider held the answer back, or a part of it, by its content rules.' };
  }
  return text.trim() === ''
    ? { end: 'done', note: 'The model answered nothing. Ask again, or in other words.' }
    : { end: 'done' };
}

export function brokenTooOften({ name }: ModelView): PlugError {
  return new PlugError('protocol_error', `${name} keeps calling tools with arguments that are no JSON.`, {
    owner: 'server',
    next: 'Choose a model that is better at calling tools: plug model list',
  });
}
