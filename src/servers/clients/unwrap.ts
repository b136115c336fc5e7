import type { Endpoint } from '../definition.ts';

type Local = Extract<Endpoint, { kind: 'stdio' }>;

/**
 * Takes off what other clients need around a server and we do not: `cmd /c` in front of npx on
 * Windows, a whole command line in one text, and the bridge from a pipe to an address.
 */
export function unwrapEndpoint(endpoint: Endpoint): {
  readonly endpoint: Endpoint;
  readonly notes: readonly string[];
} {
  if (endpoint.kind !== 'stdio') return { endpoint, notes: [] };
  const plain = withoutShell(withSplitCommand(endpoint));
  const remote = throughBridge(plain);
  if (!remote) return { endpoint: plain, notes: [] };
  return { endpoint: remote, notes: ['mcp-remote is not needed: the address is contacted directly.'] };
}

/** Only for known runners: a path such as “C:\Program Files\x” is one word. */
function withSplitCommand(endpoint: Local): Local {
  if (endpoint.args.length > 0 || !RUNNER.test(endpoint.command)) return endpoint;
  if (/["'`\\$|&;<>]/.test(endpoint.command)) return endpoint;
  const [command = '', ...args] = endpoint.command.trim().split(/\s+/);
  return { ...endpoint, command, args };
}

const RUNNER = /^(npx|bunx|uvx|pnpx|node|bun|deno|python3?|docker|podman|uv|pipx|dnx)\s/;

function withoutShell(endpoint: Local): Local {
  const [flag, command, ...args] = endpoint.args;
  if (!/^cmd(\.exe)?$/i.test(endpoint.command) || !/^\/c$/i.test(flag ?? '')) return endpoint;
  return command === undefined ? endpoint : withSplitCommand({ ...endpoint, command, args });
}

/** `npx [-y] mcp-remote URL [--header K:V] [--transport …]`; with any other flag it stays as it is. */
function throughBridge({ command, args, env }: Local): Endpoint | undefined {
  if (!/^(npx|bunx|pnpx)(\.cmd)?$/.test(command)) return undefined;
  const words = args.filter((word) => word !== '-y' && word !== '--yes');
  const [bridge, url, ...flags] = words;
  if (!/^mcp-remote(@[\w.-]+)?$/.test(bridge ?? '') || !/^(https?:|\$\{)/.test(url ?? '')) return undefined;
  const headers: Record<string, string> = {};
  let kind: 'http' | 'sse' = 'http';
  for (let at = 0; at < flags.length; at += 1) {
    const [flag, value = ''] = [flags[at], flags[at + 1]];
    if (flag === '--header') {
      const [, name, text] = /^([^:\s]+)\s*:\s*([^]*)$/.exec(value) ?? [];
      if (name === undefined || text === undefined) return undefined;
      headers[name] = withVariables(text, env);
      at += 1;
    } else if (flag === '--transport') {
      kind = value.startsWith('sse') ? 'sse' : 'http';
      at += 1;
    } else if (flag !== '--allow-http' && flag !== '--debug' && !/^\d+$/.test(flag ?? '')) return undefined;
  }
  // A variable that is for the bridge itself, such as a proxy, would be lost.
  const used = flags.join(' ');
  if (Object.keys(env).some((name) => !used.includes(`\${${name}}`))) return undefined;
  return { kind, url: url ?? '', headers };
}

/** The bridge fills in its own environment's values: `Bearer ${TOKEN}` with TOKEN beside it. */
function withVariables(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$?\$\{([A-Za-z_]\w*)\}/g, (_whole, name: string) =>
    Object.hasOwn(env, name) ? (env[name] ?? '') : `\${${name}}`,
  );
}
