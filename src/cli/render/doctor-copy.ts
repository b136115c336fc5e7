import { homedir, hostname, userInfo } from 'node:os';
import type { DoctorReport, DoctorRow } from '../../hub/hub.ts';
import { listFeatured } from '../../servers/featured.ts';
import type { HubSession } from '../session.ts';

/** Servers' own words, which may hold anything. */
const FOREIGN: ReadonlySet<DoctorRow['check']> = new Set(['stderr', 'spawn', 'handshake', 'live']);

/** Invariant: it names no person, account, home, project or private machine, and quotes no server. */
export async function copyOf(args: DoctorReport, session: HubSession): Promise<readonly string[]> {
  const { rows, counts, version } = args;
  const hide = await hiding(session);
  const lineOf = (row: DoctorRow): string =>
    `| ${row.status.toUpperCase()} | ${row.server ?? ''} | ${row.check} | ${cell(sentence(row, hide))} |`;
  const lines = rows.filter(({ status }) => status !== 'skip').map(lineOf);
  const details = rows
    .filter(({ status, check }) => (status === 'fail' || status === 'warn') && !FOREIGN.has(check))
    .flatMap((row) => (row.details ?? []).map((line) => `- ${row.server ?? row.check}: ${cell(hide(line))}`));
  const left = rows.filter(({ check, details }) => FOREIGN.has(check) && details !== undefined).length;
  return [
    `### plug doctor`,
    '',
    `Plugboard ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    `${counts.fail} FAIL, ${counts.warn} WARN, ${counts.pass} PASS, ${counts.skip} skipped`,
    '',
    '| | server | check | |',
    '| --- | --- | --- | --- |',
    ...lines,
    ...(details.length > 0 ? ['', ...details] : []),
    ...(left > 0 ? ['', LEFT_OUT] : []),
  ];
}

const LEFT_OUT = 'Lines of logs are left out: they may hold anything. plug logs NAME shows them.';

function sentence({ says, check, cause, owner }: DoctorRow, hide: (text: string) => string): string {
  // A server's output is its own; what we say about it is not.
  const ours = FOREIGN.has(check) ? says.replace(/Last output:.*$/s, '').trim() : says;
  return `${hide(ours)}${cause === undefined ? '' : ` (${cause}, ${owner ?? 'unknown'})`}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

async function hiding({ hub, cwd }: HubSession): Promise<(text: string) => string> {
  const [{ servers }, accounts] = await Promise.all([hub.servers.list(), hub.accounts.list()]);
  const open = new Set(listFeatured().flatMap(({ remote }) => (remote ? [new URL(remote.url).host] : [])));
  const hosts = servers.flatMap(({ target }) => (URL.canParse(target) ? [new URL(target)] : []));
  const inHouse = hosts.filter(
    ({ host, hostname: name }) => name !== '' && !open.has(host) && !LOOPBACK.test(name),
  );
  const names = accounts.flatMap(({ displayName, account }) => [
    displayName,
    account === 'default' ? undefined : account,
  ]);
  const words = new Map<string | undefined, string>([
    [cwd, '(project)'],
    [homedir(), '~'],
    ...inHouse.flatMap(({ host, hostname: name }) => [host, name]).map((name) => [name, '(host)'] as const),
    ...names.map((name) => [name, '(account)'] as const),
    [hostname(), '(machine)'],
    [userInfo().username, '(user)'],
  ]);
  // Longer ones first, so that none is hidden in part.
  const all = [...words]
    .flatMap(([word = '', instead]) => (word.length > 2 ? [[word, instead] as const] : []))
    .toSorted(([a], [b]) => b.length - a.length);
  return (text) => {
    const known = all.reduce((said, [word, instead]) => replaceWord(said, word, instead), text);
    return known.replaceAll(MAIL, '(account)').replaceAll(PRIVATE, '(host)');
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const MAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Addresses and names that mean something only inside a house. */
const PRIVATE =
  /\b(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|(?:[\w-]+\.)+(?:local|internal|intranet|lan|corp|home|localdomain))\b/gi;

/** Only as a word of its own: “nick” is not a part of “nickname”. */
function replaceWord(text: string, word: string, instead: string): string {
  const parts = text.split(word);
  return parts.reduce((said, part) => {
    const within = /\w$/.test(said) && /^\w/.test(word);
    const inside = /^\w/.test(part) && /\w$/.test(word);
    return said + (within || inside ? word : instead) + part;
  });
}
