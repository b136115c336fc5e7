import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDangerousVariable } from '../../connections/processes/dangerous-variables.ts';
import { planBundle } from '../../servers/plans/bundle.ts';
import { fetchBundle } from '../../servers/plans/fetch-bundle.ts';
import { unpackBundle } from '../../servers/plans/unpack-bundle.ts';
import type { AddingCore } from './open.ts';
import type { MadePlan } from './plan-pasted.ts';

/** Brings a bundle here, checked against its sum, and reads what it would run. */
export async function unpack(
  core: AddingCore,
  made: MadePlan,
  signal: AbortSignal | undefined,
): Promise<MadePlan> {
  const { target } = made.plan;
  if (target.kind !== 'bundle') return made;
  const { limits, options, outgoing } = core;
  const { url, sha256 } = target;
  const bytes = await fetchBundle(
    { url, sha256 },
    { fetch: outgoing.download, limits, ...(signal ? { signal } : {}) },
  );
  const parent = join(options.paths.data, 'bundles');
  const { folder, manifest } = await unpackBundle(bytes, { parent, sha256, limits });
  const { platform = process.platform } = options;
  const bundle = { folder, manifest, platform, home: homedir() };
  return { ...made, plan: planBundle(made.plan, bundle, { isDangerousVariable }) };
}
