import type { Runtime } from '../limits.ts';
import type { WantedPackage } from './packaged-run.ts';
import type { PackageRecord } from './record.ts';

/** What an installer of one registry is given: an empty folder, and how to tell about it. */
export interface InstallWork extends Runtime {
  readonly wanted: WantedPackage;
  /** For whom, in what is told. */
  readonly server: string;
  readonly folder: string;
  /** A person has said that install scripts may run. */
  readonly scripts: boolean;
  readonly tell: (step: string) => void;
  readonly signal: AbortSignal;
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly searchPath: () => Promise<string>;
}

/** What an installer found out; the rest of the record is the same for all. */
export type InstalledFiles = Pick<
  PackageRecord,
  'integrity' | 'programs' | 'engines' | 'packages' | 'scripts' | 'refused'
>;
