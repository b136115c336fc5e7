import { relative } from 'node:path';
import type { ServerList, ServerView } from '../../hub/hub.ts';
import { FAILED, WARNING, faint, strong, type Output, type Piece } from '../output.ts';
import { commandOf } from '../../base/remedy-command.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { nextStep, renderState } from './state.ts';
import { flexible, printTable } from './table.ts';

export interface ServerListOptions {
  readonly now: number;
  readonly cwd: string;
  /** What the tools of each server cost a model, where it is known; only then, and trust, are shown. */
  readonly tokens?: ReadonlyMap<string, number>;
}

export function renderServerList(list: ServerList, out: Output, options: ServerListOptions): void {
  printTable(
    out,
    [
      '',
      'SERVER',
      { title: 'ACCOUNT', drop: 2 },
      flexible('STATE'),
      { title: 'TOOLS', drop: 1 },
      { title: 'TOKENS', drop: 4 },
      { title: 'TRUST', drop: 3 },
      { title: 'MODE', drop: 3 },
      { title: 'VERSION', drop: 7 },
      { title: 'MEMORY', drop: 6 },
      { title: 'SOURCE', flexible: true, drop: 5 },
      flexible('NEXT'),
    ],
    list.servers.map((server) => rowOf(server, options)),
  );
}

export function renderListProblems(list: ServerList, out: Output): void {
  for (const file of list.files) {
    if (file.outcome === 'malformed' || file.outcome === 'unreadable') {
      const place = file.line === undefined ? '' : `:${file.line}:${file.column ?? 1}`;
      out.note(FAILED, `${file.path}${place} is ${file.outcome}. ${file.reason ?? ''}`);
    }
    for (const warning of file.warnings) out.note(WARNING, `${file.path}: ${warning}`);
  }
  for (const server of list.servers) {
    for (const problem of server.problems) out.note(WARNING, `${server.id}: ${problem}`);
  }
  const heavy = list.servers.filter(runsThroughRunner);
  const [first] = heavy;
  if (!first) return;
  const which = heavy.length === 1 ? first.id : `${heavy.length} of them`;
  const next = commandOf({ do: 'install-package', server: first.id });
  out.note(faint(`  ${which} would take less without npx, which stays in memory: ${next}`));
}

/** More than one process, and too much memory: npx is one of them. */
function runsThroughRunner({ process, target }: ServerView): boolean {
  const { warning, processes = 0 } = process ?? {};
  return warning !== undefined && processes > 1 && /^npx(?:\.cmd)? /.test(target);
}

function rowOf(server: ServerView, { now, cwd, tokens }: ServerListOptions): readonly Piece[] {
  const state = renderState(server, now);
  // The address of a sign-in is too long for a table.
  const isLong = server.state.remedy?.do === 'open-address';
  const next = isLong ? commandOf({ do: 'show-server', server: server.id }) : nextStep(server);
  return [
    { text: state.symbol, style: state.style },
    strong(server.id),
    server.account ?? '',
    { text: state.words, style: state.style },
    toolsText(server),
    faint(tokensText(tokens?.get(server.id))),
    tokens && !server.untrusted ? TRUST[server.trust] : '',
    server.readOnly ? 'read-only' : '',
    tokens ? versionText(server) : '',
    memoryText(server),
    faint(sourceText(server, cwd)),
    next === undefined ? '' : `→ ${next}`,
  ];
}

function toolsText(server: ServerView): string {
  if (server.serverInfo === undefined && server.toolCount === 0) return '–';
  if (server.toolsOffered === server.toolCount) return String(server.toolCount);
  return `${server.toolsOffered}/${server.toolCount}`;
}

/** `0.3k`: what matters is the size, not the number. */
function tokensText(tokens = 0): string {
  if (tokens === 0) return '';
  return tokens < 100 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`;
}

const TRUST: Readonly<Record<ServerView['trust'], string>> = {
  kept: 'reads',
  session: 'reads, for now',
  none: 'ask',
};

/** `1.2.3 → 1.3.0` when a newer one is known. */
function versionText({ version = {} }: ServerView): string {
  const { package: pack, reported, latest } = version;
  const current = pack?.version ?? reported ?? '';
  return pack?.version !== undefined && latest !== undefined && latest !== current
    ? `${current} → ${latest}`
    : current;
}

function memoryText({ process }: ServerView): string {
  if (!process) return '';
  return `${sizeInWords(process.memoryBytes)}${process.processes > 1 ? ` in ${process.processes}` : ''}`;
}

export function sourceText({ source }: ServerView, cwd: string): string {
  if (source.kind === 'manual') return 'plug';
  if (source.kind !== 'file' || source.file === undefined) return source.name ?? source.kind;
  const near = relative(cwd, source.file);
  return near.startsWith('..') ? source.file : near;
}
