import {
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import type { Asked } from './tool.ts';

export interface State {
  readonly of: string;
  readonly round: number;
}

/** Signed, not secret. Every process of the fixture can read the state of every other. */
export const states: RequestStateCodec<State> = createRequestStateCodec<State>({
  key: 'the fixture of the conformance suite',
  bind: ({ mcpReq }) => mcpReq.method,
});

type Property = { readonly type: 'string' } | { readonly type: 'boolean' };

/** A form whose fields all have to be filled in. */
export function form(message: string, properties: Readonly<Record<string, Property>>): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { ...properties }, required: Object.keys(properties) },
  });
}

export function model(prompt: string, maxTokens: number): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });
}

/** The answer to one question as JSON text; absent when there is none of a known kind. */
export function answerTo({ ctx }: Asked, key: string): string | undefined {
  const view = inputResponse(ctx.mcpReq.inputResponses, key);
  if (view.kind === 'missing') return undefined;
  return JSON.stringify(ctx.mcpReq.inputResponses?.[key]);
}
