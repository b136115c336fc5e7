import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineServer } from '../../src/servers/definition.ts';
import { pasted, tool, type PageFixture } from './page-fixture.ts';

const VERSIONS: Readonly<Record<string, PageFixture>> = {
  '1.0.0': { serverInfo: { version: '1.0.0' }, tools: [tool('look'), tool('old')] },
  '2.0.0': {
    serverInfo: { version: '2.0.0' },
    tools: [
      { ...tool('look'), inputSchema: { type: 'object', properties: { at: { type: 'string' } } } },
      tool('fresh'),
    ],
  },
  '3.0.0': { stderr: ['it is broken'], refuses: true },
};

/** Of the package at its first version. */
export const ACME = defineServer({
  id: 'acme',
  endpoint: { kind: 'stdio', command: 'npx', args: ['-y', '@acme/tool@1.0.0'], env: {} },
});

export interface VersionedPackage {
  /** A folder for the PATH. */
  readonly bin: string;
  /** What npm answers from now on: a script of the shell. */
  readonly index: (answer: string) => void;
}

/** An npm that knows one package, and an npx that starts the version that it is told to. */
export function versionedPackage(folder: string, latest: string): VersionedPackage {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const cases = Object.entries(VERSIONS).map(([version, fixture]) => {
    const { command, args } = (
      JSON.parse(pasted('x', fixture)) as { mcpServers: { x: { command: string; args: string[] } } }
    ).mcpServers.x;
    const words = [command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    return `*@${version}) exec ${words.join(' ')} ;;`;
  });
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\ncase "$2" in\n${cases.join('\n')}\nesac\nexit 9\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  const index = (answer: string): void => {
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(bin, 'npm'), 0o755);
  };
  index(knows(latest));
  return { bin, index };
}

/** `npm view --json … -- NAME@VERSION …` */
function knows(latest: string): string {
  const answer = JSON.stringify({
    version: '~v~',
    dist: { integrity: 'sha512-~v~' },
    'dist-tags': { latest },
  });
  return `for word; do case "$word" in @acme/tool@latest) v=${latest} ;; @acme/tool@*) v=\${word##*@} ;; esac; done\necho '${answer}' | sed "s/~v~/$v/g"`;
}

export const OFFLINE = `echo '{"error":{"code":"ENOTFOUND","summary":"no network"}}'; exit 1`;
