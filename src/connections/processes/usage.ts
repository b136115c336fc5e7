import { readFile } from 'node:fs/promises';
import { listProcesses, markerOf, rssBytesOf, type ProcessRow } from './process-table.ts';
import { WATCHER_NAME } from './supervisor-script.ts';

export interface Tree {
  readonly pid: number;
  readonly marker: string;
}

export interface TreeUsage {
  readonly processes: number;
  readonly rssBytes: number;
}

/** A process belongs to a tree by its group, its parents, or else the marker. Our watcher is not counted. */
export async function usageOf(trees: readonly Tree[]): Promise<readonly TreeUsage[]> {
  const rows = (await listProcesses()).filter((row) => !row.zombie);
  const treeOf = await assign(rows, trees);
  return Promise.all(
    trees.map(async (tree) => {
      const members = rows.filter((row) => treeOf.get(row.pid) === tree);
      const watchers = await Promise.all(members.map(isWatcher));
      const counted = members.filter((_, index) => !watchers[index]);
      const rss = await Promise.all(counted.map((row) => rssBytesOf(row.pid)));
      return { processes: counted.length, rssBytes: rss.reduce((sum, bytes) => sum + bytes, 0) };
    }),
  );
}

async function assign(
  rows: readonly ProcessRow[],
  trees: readonly Tree[],
): Promise<ReadonlyMap<number, Tree>> {
  const treeOf = new Map<number, Tree>();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const byGroup = new Map(trees.map((tree) => [tree.pid, tree]));
  const byMarker = new Map(trees.map((tree) => [tree.marker, tree]));
  const escaped: ProcessRow[] = [];
  for (const row of rows) {
    const tree = ancestry(row, byPid)
      .map((one) => byGroup.get(one.group))
      .find((found) => found);
    if (tree) treeOf.set(row.pid, tree);
    else if (row.parent === 1 && process.platform === 'linux') escaped.push(row);
  }
  // Each environment is read once, however many trees there are.
  const markers = await Promise.all(escaped.map((row) => markerOf(row.pid)));
  escaped.forEach((row, index) => {
    const tree = byMarker.get(markers[index] ?? '');
    if (tree) treeOf.set(row.pid, tree);
  });
  return treeOf;
}

/** Upwards; a table read while it changes may hold a circle. */
function ancestry(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>): readonly ProcessRow[] {
  const line: ProcessRow[] = [];
  for (let one: ProcessRow | undefined = row; one && !line.includes(one); one = byPid.get(one.parent)) {
    line.push(one);
  }
  return line;
}

/** Known on Linux only. Elsewhere the watcher is counted: about one megabyte. */
async function isWatcher(row: ProcessRow): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    return (await readFile(`/proc/${row.pid}/cmdline`, 'latin1')).split('\0')[3] === WATCHER_NAME;
  } catch {
    return false; // it has just ended
  }
}
