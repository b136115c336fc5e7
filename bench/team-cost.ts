import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { childrenOf } from './measure.ts';

/** What a run has cost each process that took part, per call; and the database, in commits. */
export interface Cost {
  readonly hubMs: number;
  readonly postgresMs: number;
  readonly serverMs: number;
  readonly generatorMs: number;
  readonly commits: number;
  readonly syncs: number;
}

export class Costs implements AsyncDisposable {
  readonly #client: Client;
  readonly #postmaster: number;
  readonly #server: number;

  private constructor(client: Client, postmaster: number, server: number) {
    this.#client = client;
    this.#postmaster = postmaster;
    this.#server = server;
  }

  static async open(url: string, server: number): Promise<Costs> {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new Costs(client, parentOf(rows[0]?.pid ?? 0), server);
  }

  async of<T extends { readonly calls: number }>(
    hubs: readonly number[],
    work: () => Promise<T>,
  ): Promise<readonly [T, Cost]> {
    const before = await this.#now(hubs);
    const found = await work();
    const after = await this.#now(hubs);
    const each = (what: keyof Cost): number => (after[what] - before[what]) / found.calls;
    return [
      found,
      {
        hubMs: each('hubMs'),
        postgresMs: each('postgresMs'),
        serverMs: each('serverMs'),
        generatorMs: each('generatorMs'),
        commits: each('commits'),
        syncs: each('syncs'),
      },
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  async #now(hubs: readonly number[]): Promise<Cost> {
    // Backends report what they did at most once a second.
    await new Promise((reported) => setTimeout(reported, 1_100));
    const { rows } = await this.#client.query<{ commits: string; syncs: string }>(
      `select (select sum(xact_commit) from pg_stat_database) as commits,
        (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal') as syncs`,
    );
    const all = [this.#postmaster, ...childrenOf(this.#postmaster)];
    return {
      hubMs: sum(hubs.map((pid) => cpuMs(pid))),
      // With those that have ended.
      postgresMs: sum(all.map((pid) => cpuMs(pid))) + cpuMs(this.#postmaster, ENDED),
      serverMs: cpuMs(this.#server),
      generatorMs: cpuMs(process.pid),
      commits: Number(rows[0]?.commits ?? Number.NaN),
      syncs: Number(rows[0]?.syncs ?? Number.NaN),
    };
  }
}

/** User and system time in the process table: of a process itself, and of its children that have ended. */
const OWN = 11;
const ENDED = 13;

function cpuMs(pid: number, at = OWN): number {
  const fields = statOf(pid);
  return (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS;
}

const TICK_MS = 10;

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** What stands behind the name, which may hold spaces. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // it has ended meanwhile
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + (Number.isNaN(value) ? 0 : value), 0);
}
