import { commandOf } from '../../base/remedy-command.ts';
import { isRunnable } from '../is-runnable.ts';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isFolderName } from '../../connections/working-folder.ts';
import { parseEntry } from '../../servers/config-entry.ts';
import { parseConfigText } from '../../servers/config-text.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { findPlaceholders, type Placeholder } from '../../servers/placeholders.ts';
import { modelKeyPrefix } from '../../vault/models.ts';
import type { Core } from '../core.ts';
import { backupLimits as limits, type Contents, nameOfItem, type SealedContents } from './contents.ts';
import type { ReadBackup } from './document.ts';
import type { Ledger } from './ledger.ts';

interface After {
  readonly backup: ReadBackup;
  readonly contents: Contents;
  readonly secrets: SealedContents['secrets'];
  readonly opened: boolean;
  readonly ledger: Ledger;
}

export async function todoAfter(core: Core, after: After): Promise<readonly string[]> {
  const { contents, ledger, secrets } = after;
  const inVault = new Set([...(await core.vault.list(core.owner)), ...secrets.map(({ name }) => name)]);
  const servers = [
    ...contents.servers.filter(({ id }) => ledger.has('server', id)),
    ...serversInFiles(after),
  ];
  const lines: string[] = [];
  for (const server of servers) {
    lines.push(...missingValues(core, server, inVault), ...(await missingPlaces(core, server)));
  }
  return [
    ...lines,
    ...signIns(after, servers),
    ...modelKeys(after, inVault),
    ...notCarried(after),
    ...(await filesElsewhere(after)),
  ].slice(0, limits.todoMax);
}

function serversInFiles({ contents: { files }, ledger }: After): readonly ServerDefinition[] {
  const file = files.find(({ name }) => name === 'mcp.json');
  const parsed = file && ledger.has('file', 'mcp.json') ? parseConfigText(file.text) : undefined;
  if (parsed?.kind !== 'ok') return [];
  const keys = parsed.entries.map(({ key }) => key);
  return parsed.entries.flatMap(({ key, value }) => {
    const entry = parseEntry(key, value, { source: { kind: 'file', scope: 'user' }, keys });
    return entry.kind === 'ok' ? [entry.definition] : [];
  });
}

function missingValues(
  { options: { env } }: Core,
  { id, endpoint, config }: ServerDefinition,
  inVault: ReadonlySet<string>,
): readonly string[] {
  const texts =
    endpoint.kind === 'stdio'
      ? [endpoint.command, ...endpoint.args, ...Object.values(endpoint.env), endpoint.cwd ?? '']
      : [endpoint.url, ...Object.values(endpoint.headers)];
  const says = ({ kind, name, fallback }: Placeholder): string | undefined => {
    const key = kind === 'input' ? `${id}/${name}` : name;
    if (kind === 'vault' || (kind === 'input' && !Object.hasOwn(config, name))) {
      if (inVault.has(key)) return undefined;
      return `${id} needs its key ${key}: ${commandOf({ do: 'set-secret', name: key })}`;
    }
    const isSet = env[name] !== undefined || fallback !== undefined || isFolderName(name);
    if (kind !== 'env' || isSet) return undefined;
    return `${id} needs the variable ${name}: set it, then: ${commandOf({ do: 'restart-hub' })}`;
  };
  const found = texts.flatMap((text) => findPlaceholders(text)).flatMap((one) => says(one) ?? []);
  return [...new Set(found)];
}

async function missingPlaces(core: Core, { id, endpoint }: ServerDefinition): Promise<readonly string[]> {
  if (endpoint.kind !== 'stdio') return [];
  const { command, args, cwd } = endpoint;
  const lines: string[] = [];
  if (!(await isRunnable(core, command))) {
    const restart = commandOf({ do: 'restart', server: id });
    lines.push(`${id} needs ${command}, which is not installed here: install it, then: ${restart}`);
  }
  if (cwd !== undefined && isPath(cwd) && !(await isThere(cwd))) {
    lines.push(
      `${id} works in ${cwd}, which doesn’t exist here: create it, or add ${id} again with another folder.`,
    );
  }
  for (const arg of args) {
    const path = arg.replace(/^--?[\w-]+=/, '');
    if (isPath(path) && !(await isThere(path))) lines.push(`${id} names ${path}, which is not here.`);
  }
  return lines;
}

function isPath(text: string): boolean {
  return /^(~?\/[^/]|[A-Za-z]:\\)/.test(text) && findPlaceholders(text).length === 0;
}

async function isThere(path: string): Promise<boolean> {
  const found = await stat(path.startsWith('~') ? join(homedir(), path.slice(1)) : path).catch(() => null);
  return found !== null;
}

/** Tokens never travel. */
function signIns({ contents, ledger }: After, servers: readonly ServerDefinition[]): readonly string[] {
  const restored = contents.accounts.filter((one) => ledger.has('account', nameOfItem.accounts(one)));
  const known = new Set(restored.map(({ server }) => server));
  const signIn = (server: string): string => `Sign in to ${server}: ${commandOf({ do: 'sign-in', server })}`;
  return [
    ...restored.map(({ server, account, isDefault }) =>
      isDefault
        ? signIn(server)
        : `Sign in to ${server} as ${account}: ${commandOf({ do: 'sign-in', server, account })}`,
    ),
    ...servers.filter(({ id, auth }) => auth === 'oauth' && !known.has(id)).map(({ id }) => signIn(id)),
  ];
}

function modelKeys({ contents, ledger }: After, inVault: ReadonlySet<string>): readonly string[] {
  return contents.models
    .filter(({ name, provider }) => ledger.has('model', name) && provider !== 'compatible')
    .filter(({ name }) => ![...inVault].some((secret) => secret.startsWith(modelKeyPrefix(name))))
    .map(({ name, provider, model }) => {
      const command = commandOf({ do: 'add-model', name, provider, model, needs: 'key' });
      return `The model ${name} needs its key: ${command}`;
    });
}

function notCarried({ backup, opened }: After): readonly string[] {
  if (opened) return [];
  const sealed = backup.bundle
    ? ['The secrets of this backup are still sealed: restore it again with its passphrase.']
    : [];
  const where = backup.bundle ? 'is in the sealed part' : 'was left out of the backup';
  return [...sealed, ...backup.contents.leftOut.map(({ name }) => `${name} holds a secret, so it ${where}.`)];
}

async function filesElsewhere({ backup }: After): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { server, file } of backup.contents.elsewhere) {
    if (await isThere(file)) continue;
    lines.push(`${server} was defined in ${file}, which no backup carries: copy that file.`);
  }
  return lines;
}
