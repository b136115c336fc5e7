import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { HIDDEN } from '../../base/secret-names.ts';
import { readScreenshot } from '../../servers/screenshot/read-screenshot.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import { looksSecret } from '../../base/secret-shapes.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import { commandPackage } from '../../servers/plans/command-package.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { PastedServer } from '../../servers/paste/paste.ts';
import type { Recognized } from '../plans.ts';

/** Only parses: asks no network, and keys in the text do not come back. */
export function recognize(text: string, { remoteOnly }: { readonly remoteOnly: boolean }): Recognized {
  if (text.trim() === '') return { format: '', servers: [], problems: [] };
  const { format, servers, problems, repair, notMcp } = parsePaste(text, {
    remoteOnly,
    featured: featuredLookup,
  });
  const shown = servers.map((server) => {
    const { transport, needs, declined } = server;
    const known = defined({ transport: transport ?? undefined });
    return { name: nameOf(server), ...known, needs, ...defined({ declined }) };
  });
  const recognized = { format, servers: shown, problems, ...defined({ repair, notMcp }) };
  return withoutKeys(recognized, servers.flatMap(keysOf));
}

/** Never the whole address: a key may stand in it. */
function nameOf({ name, url, command, args = [], ref }: PastedServer): string {
  if (name !== null) return name;
  if (ref !== undefined) return ref.id;
  if (url !== undefined && URL.canParse(url)) return new URL(url).host;
  if (command === undefined) return 'server';
  // Of what a runner runs: every npx command would have the same name.
  return commandPackage(command, args)?.package.name ?? command.split(/[/\\]/).at(-1) ?? 'server';
}

/** Longest first, so that one that holds another is hidden whole. */
function keysOf(server: PastedServer): readonly string[] {
  const { command = '', url = '', env = {}, headers = {}, args = [] } = server;
  const given = [...Object.values(env), ...Object.values(headers), ...args];
  const shaped = given.flatMap((value) => value.split(/[\s=]+/)).filter((word) => looksSecret(word));
  if (command === '' && url === '') return shaped;
  return [...shaped, ...keysInPlace(server)].toSorted((a, b) => b.length - a.length);
}

/** By the places where keys stand in a definition; a paste that makes none has no such places. */
function keysInPlace({ declined: _declined, ...server }: PastedServer): readonly string[] {
  try {
    const { keys } = takeKeys(definitionFrom(server, { source: { kind: 'manual' } }));
    return keys.map(({ value }) => value.reveal());
  } catch {
    return [];
  }
}

function withoutKeys(recognized: Recognized, keys: readonly string[]): Recognized {
  const hidden = new Set(keys.filter((key) => key !== ''));
  if (hidden.size === 0) return recognized;
  const hide = (text: string): string => [...hidden].reduce((sum, key) => sum.replaceAll(key, HIDDEN), text);
  const { problems, repair, servers, notMcp } = recognized;
  return {
    ...recognized,
    servers: servers.map((server) => ({ ...server, name: hide(server.name) })),
    problems: problems.map((problem) => ({ ...problem, message: hide(problem.message) })),
    ...defined({
      repair: repair && {
        text: hide(repair.text),
        changes: repair.changes.map((change) => ({ ...change, what: hide(change.what) })),
        lines: repair.lines.map(({ line, before, after }) => ({
          line,
          ...defined({ before: before && hide(before), after: after && hide(after) }),
        })),
      },
      notMcp: notMcp && hide(notMcp),
    }),
  };
}

/** The text on a picture that came as base64, with or without the head of a `data:` address. */
export async function readImage(
  image: string,
  { limits, signal }: { readonly limits: Limits; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly text: string }> {
  const encoded = image.replace(/^data:[\w.+/-]{0,100};base64,/, '').trim();
  if (encoded.length > limits.apiImageBytesMax) {
    const megabytes = Math.floor((limits.apiImageBytesMax * 3) / 4 / (1024 * 1024));
    const remedy = 'Cut the screenshot down to the part that shows the config, or paste the text itself.';
    throw new PlugError('too_large', `The picture is larger than ${megabytes} MB.`, { owner: 'you', remedy });
  }
  const bytes = Buffer.from(encoded, 'base64');
  // What is no base64 is skipped by the decoder; a picture that lacks some of it is no picture.
  if (bytes.length === 0 || Math.abs(bytes.length * 4 - encoded.length * 3) > PADDING_CHARS_MAX * 3) {
    const remedy = 'Paste or drop a screenshot as PNG or JPEG, or paste the text itself.';
    throw new PlugError('usage', 'This is not a picture in base64.', { owner: 'you', remedy });
  }
  const { text } = await readScreenshot(bytes, { limits, ...(signal ? { signal } : {}) });
  return { text };
}

const PADDING_CHARS_MAX = 4;
