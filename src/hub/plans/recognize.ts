import { defined } from '../../base/defined.ts';
import { HIDDEN } from '../../base/redact.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import { looksSecret } from '../../servers/clients/secret-shapes.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { PastedServer } from '../../servers/paste/paste.ts';
import type { Recognised } from '../plans.ts';

/** Only parses: asks no network, and keys in the text do not come back. */
export function recognise(text: string, { remoteOnly }: { readonly remoteOnly: boolean }): Recognised {
  if (text.trim() === '') return { format: '', servers: [], problems: [] };
  const { format, servers, problems, repair, notMcp } = parsePaste(text, {
    remoteOnly,
    featured: featuredLookup,
  });
  const keys = servers.flatMap(keysOf);
  return withoutKeys(
    {
      format,
      servers: servers.map((server) => ({
        name: nameOf(server),
        ...(server.transport === null ? {} : { transport: server.transport }),
        needs: server.needs,
        ...(server.declined === undefined ? {} : { declined: server.declined }),
      })),
      problems,
      ...defined({ repair, notMcp }),
    },
    keys,
  );
}

/** Never the whole address: a key may stand in it. */
function nameOf({ name, url, command, ref }: PastedServer): string {
  if (name !== null) return name;
  if (ref !== undefined) return ref.id;
  if (url !== undefined && URL.canParse(url)) return new URL(url).host;
  return command?.split(/[/\\]/).at(-1) ?? 'server';
}

/** Longest first, so that one that holds another is hidden whole. */
function keysOf(server: PastedServer): readonly string[] {
  const { command = '', url = '' } = server;
  const given = [
    ...Object.values(server.env ?? {}),
    ...Object.values(server.headers ?? {}),
    ...(server.args ?? []),
  ];
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

function withoutKeys(recognised: Recognised, keys: readonly string[]): Recognised {
  const hidden = new Set(keys.filter((key) => key !== ''));
  if (hidden.size === 0) return recognised;
  const hide = (text: string): string => [...hidden].reduce((sum, key) => sum.replaceAll(key, HIDDEN), text);
  const { problems, repair, servers, notMcp } = recognised;
  return {
    ...recognised,
    servers: servers.map((server) => ({ ...server, name: hide(server.name) })),
    problems: problems.map((problem) => ({ ...problem, message: hide(problem.message) })),
    ...(repair === undefined
      ? {}
      : {
          repair: {
            text: hide(repair.text),
            changes: repair.changes.map((change) => ({ ...change, what: hide(change.what) })),
          },
        }),
    ...(notMcp === undefined ? {} : { notMcp: hide(notMcp) }),
  };
}
