import { PlugError } from '../../base/errors.ts';
import type { DoctorOptions, DoctorReport, DoctorRequest, DoctorRow } from '../hub.ts';
import type { Core } from '../core.ts';
import type { Implementations } from '../operations/table.ts';
import type { Workspace } from '../workspace.ts';
import { carryOut } from './fixes.ts';
import { followChain } from './chain.ts';
import { lookAtMachine } from './machine.ts';
import { openCheckedServer, openExamination, type DoctorScope, type Examination } from './checked-server.ts';
import { doctorLimits, fail, unchecked } from './rows.ts';

export function doctorOf(core: Core, workspace: Workspace): Pick<Implementations, 'doctor'> {
  const scope = { core, workspace };
  return {
    doctor: {
      run: (request, options) => runDoctor(scope, request, options),
      fix: ({ fixes }) => carryOut(scope, fixes),
    },
  };
}

async function runDoctor(
  place: DoctorScope,
  request: DoctorRequest,
  { signal, onProgress }: DoctorOptions,
): Promise<DoctorReport> {
  const { core } = place;
  const examination = openExamination(place, { live: request.live ?? false, signal });
  const told = async (rows: AsyncIterable<DoctorRow>): Promise<readonly DoctorRow[]> => {
    const all: DoctorRow[] = [];
    for await (const row of rows) {
      all.push(row);
      onProgress?.(row);
    }
    return all;
  };
  const { server } = request;
  const machine = server === undefined ? await told(lookAtMachine(examination)) : [];
  const ids = server === undefined ? idsOf(examination) : [known(examination, server)];
  const chains = await eachAtOnce(ids, (id) => told(lookAt(examination, id)));
  const rows = [...machine, ...chains.flat()];
  if (signal?.aborted) throw new PlugError('cancelled', 'The check was canceled.', { owner: 'you' });
  return { rows, counts: countsOf(rows), version: core.options.version, at: core.clock.now() };
}

function idsOf({ workspace }: Examination): readonly string[] {
  const all = [...workspace.servers.map(({ definition }) => definition.id), ...Object.keys(workspace.errors)];
  return [...new Set(all)].toSorted();
}

function known({ workspace }: Examination, id: string): string {
  if (!Object.hasOwn(workspace.errors, id)) workspace.resolved(id);
  return id;
}

/** A check that breaks becomes a row, so that the others still run. */
async function* lookAt(examination: Examination, id: string): AsyncGenerator<DoctorRow, void, void> {
  const { workspace } = examination;
  try {
    const broken = Object.hasOwn(workspace.errors, id) ? workspace.errors[id] : undefined;
    if (broken && !workspace.servers.some(({ definition }) => definition.id === id)) {
      const { code: cause, message, owner, remedy } = broken;
      yield { ...fail('config', message, { cause, owner, remedy }), server: id };
    } else yield* followChain(openCheckedServer(examination, workspace.resolved(id)));
  } catch (error) {
    if (examination.signal?.aborted) return;
    yield { ...unchecked('config', error), server: id };
  }
}

async function eachAtOnce<In, Out>(
  given: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const done: Out[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < given.length; at = next++) done[at] = await work(given[at] as In); // at is within
  };
  await Promise.all(Array.from({ length: doctorLimits.serversAtOnce }, worker));
  return done;
}

function countsOf(rows: readonly DoctorRow[]): DoctorReport['counts'] {
  const counts = { pass: 0, warn: 0, fail: 0, skip: 0 };
  for (const { status } of rows) counts[status] += 1;
  return counts;
}
