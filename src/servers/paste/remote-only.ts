import type { PastedServer } from './paste.ts';

/** Why a server can't be used where nothing runs locally; undefined if it can. */
export function declinedRemotely(server: Omit<PastedServer, 'declined'>): string | undefined {
  const { transport, command, args = [], url, alt, ref, name } = server;
  const who = name === null ? 'This server' : `“${name.slice(0, 80)}”`;
  if (transport === 'stdio' || command !== undefined) {
    const line = [command ?? '', ...args].join(' ').slice(0, 80);
    const instead = alt
      ? `It only forwards to ${alt.url}: give that address instead.`
      : 'Give the address of a remote server instead, such as https://host/mcp, or run Plugboard on your own computer.';
    return `${who} is a local server (${line}): it would run a program on the hub's machine, which isn’t allowed here. ${instead}`;
  }
  if (url !== undefined && /^(?:file|unix):/i.test(url))
    return `${who} points to a file of one machine (${url.slice(0, 80)}). Give an https:// address instead.`;
  if (url === undefined && (ref?.kind === 'docker' || ref?.kind === 'docker-catalog'))
    return `${who} is a container image: it would run on the hub's machine, which isn’t allowed here. Give the address of a remote server instead, such as https://host/mcp.`;
  return undefined;
}
