#!/usr/bin/env node
/** Statements here must parse on every Node that people still have: newer code is imported later. */
const NODE_MIN = [22, 18] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  process.stderr.write(
    `plug needs Node ${NODE_MIN.join('.')} or newer, and this is ${process.versions.node}: see https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${ownVersion()}\n`);
} else {
  void main();
}

function ownVersion(): string {
  // Asked for by name instead of imported: an import would load every lazy part of the module.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // the package is ours
}

/**
 * A bug of ours. Its message may quote anything, secrets too, and nothing that could hide them is
 * sure to work any more: only where it happened is told.
 */
function crash(error: unknown): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error('unknown');
  const places = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const lines = [`plug crashed with ${name}; please report it with these lines:`, ...places];
  process.getBuiltinModule('node:fs').writeSync(2, `${lines.join('\n')}\n`);
  process.exit(1);
}

/** Undefined when it was deleted under the feet of whoever typed the command. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  // A hub that serves others goes on where it can, once it runs.
  let onUncaught = crash;
  process.on('uncaughtException', (error) => onUncaught(error));
  const cwd = currentFolder();
  if (cwd === undefined) {
    process.stderr.write('✖ The current folder no longer exists.\n  next   cd ~\n');
    process.exitCode = 1;
    return;
  }
  const { env, platform, stdout, stderr } = process;
  const version = ownVersion();
  const { findPaths } = await import('./base/paths.ts');
  const paths = findPaths({ env, platform });
  const { cacheCompiledCode } = await import('./base/compile-cache.ts');
  cacheCompiledCode(paths);

  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) process.exit(130); // asked twice: go at once
    interrupted.abort(new Error('interrupted'));
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as head, is no failure.
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const [{ runCli }, { openHubControl }] = await Promise.all([
    import('./cli/run.ts'),
    import('./cli/hub-control.ts'),
  ]);
  const entry = { command: process.execPath, args: [import.meta.filename], env, cwd };
  const hubs = openHubControl({
    paths,
    entry,
    platform,
    version,
    // The same for a program that was built and for one that runs from its source.
    pageFolder: process.getBuiltinModule('node:url').fileURLToPath(new URL('../dist/web', import.meta.url)),
    // A person who watches wants problems; a log file wants everything.
    logLevel: stderr.isTTY ? 'warn' : 'info',
    log: (line) => stderr.write(line),
    ownsProcess: true,
    surviveWith: (handle) => {
      onUncaught = (error) => handle(error, crash);
    },
  });
  const argv = process.argv.slice(2);
  process.exitCode = await runCli({
    argv,
    env,
    cwd,
    version,
    signal: interrupted.signal,
    hubs,
    stdin: () => process.stdin,
    stdout,
    stderr,
  });
}
