import type { DoctorRow } from '../hub.ts';
import type { Visit } from './patient.ts';
import { count, pass } from './rows.ts';

/** That it answers is what is tested; who starts it has compared the versions. */
export function lookAtHub({ core, workspace }: Visit): Promise<readonly DoctorRow[]> {
  const { version } = core.options;
  const eras = workspace.servers.flatMap(
    (server) => core.pool.manifest(workspace.pooled(server).key)?.era ?? [],
  );
  const legacy = eras.filter((era) => era === 'legacy').length;
  const spoken = eras.length === 0 ? '' : `: ${eras.length - legacy} known as modern, ${legacy} as legacy`;
  const says = `Plugboard ${version} runs (pid ${process.pid}, Node ${process.versions.node}) with ${count(workspace.servers.length, 'server')}${spoken}.`;
  return Promise.resolve([pass('hub', says)]);
}
