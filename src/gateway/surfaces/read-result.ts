import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Scope } from '../scope.ts';
import { numberArgument, textAnswer, textArgument } from './answers.ts';
import type { ShownTools } from './shown-tools.ts';
import { surfaceLimits } from './limits.ts';

/** The prefix is ours: no server's tool is rendered to it. */
export const READ_RESULT = 'plug__read_result';

export const readResultTool: JsonObject & { readonly name: string } = {
  name: READ_RESULT,
  description: 'Reads on in a result that was cut: a page of it, the lines that match, or a JSONPath.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'result_…' },
      page: { type: 'integer', minimum: 1 },
      grep: { type: 'string', description: 'Regular expression' },
      path: { type: 'string' },
    },
    required: ['id'],
  },
  annotations: { readOnlyHint: true },
};

/** The preview tells people how to read on; a model uses the tool. */
export function withHandle(preview: JsonObject, id: string): JsonObject {
  const { content } = preview;
  const text = `To read on, call ${READ_RESULT} with {"id":"${id}"} and a page, a grep or a path.`;
  return { ...preview, content: [...(Array.isArray(content) ? content : []), { type: 'text', text }] };
}

export interface ReadingIn {
  readonly results: Hub['results'];
  readonly scope: Scope;
  readonly known: Pick<ShownTools, 'servers'>;
}

export async function readResult(args: JsonObject, reading: ReadingIn): Promise<JsonObject> {
  const { results, scope } = reading;
  const id = textArgument(args, 'id', READ_RESULT);
  if (scope.profile !== undefined) await refuseForeign(id, reading);
  if (args['grep'] !== undefined) {
    const pattern = textArgument(args, 'grep', READ_RESULT);
    const { matches, truncated } = await results.grep({ id, pattern });
    const lines = matches.map(({ line, page, text }) => `${line} (page ${page}): ${text}`);
    return bounded(lines.length === 0 ? 'No line matches.' : lines.join('\n'), truncated);
  }
  if (args['path'] !== undefined) {
    const { found, truncated } = await results.path({ id, path: textArgument(args, 'path', READ_RESULT) });
    const lines = found.map(({ path, value }) => `${path}: ${JSON.stringify(value)}`);
    return bounded(lines.length === 0 ? 'The path matches nothing.' : lines.join('\n'), truncated);
  }
  const wanted = numberArgument(args, 'page', READ_RESULT) ?? 1;
  const { page, pages, text } = await results.page({ id, page: wanted });
  return bounded(`[page ${page} of ${pages}]\n${text}`, false);
}

/** A profile must not read results of servers outside it. */
async function refuseForeign(id: string, { results, known }: ReadingIn): Promise<void> {
  const stored = (await results.list()).find((result) => result.id === id);
  if (stored && (known.servers.has(stored.server) || stored.server === 'plug')) return;
  const message = `There is no result “${id.slice(0, surfaceLimits.nameCharsShown)}” here.`;
  const remedy = 'Call the tool again: results are kept for a few days only.';
  throw new PlugError('not_found', message, { owner: 'you', remedy });
}

function bounded(text: string, truncated: boolean): JsonObject {
  const cut = text.slice(0, surfaceLimits.readResultCharsMax);
  const isCut = truncated || cut.length < text.length;
  return textAnswer(isCut ? `${cut}\n[There is more: ask more narrowly.]` : cut);
}
