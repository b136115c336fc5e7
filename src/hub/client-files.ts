import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Machine } from '../servers/clients/client.ts';
import type { FileJournal } from '../servers/clients/file-journal.ts';
import type { TextDifference, UndoneFile } from './changes.ts';
import type { FilePart } from './changes/change.ts';

export interface GatewayCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where the client finds the gateway instead, with the token of a host. */
export interface GatewayAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What was done to a client's file, or would be. */
export interface ClientEdit {
  readonly client: string;
  readonly file: string;
  readonly changed: boolean;
  readonly backup?: string;
  readonly warnings: readonly string[];
  /** The entry that was there holds the token of a host. */
  readonly hadToken?: boolean;
  readonly change?: TextDifference;
}

/** A client that is used on this machine, and the file that would be written. */
export interface UsedClient {
  readonly client: string;
  readonly title: string;
  readonly file: string;
}

export interface ClientList {
  /** What an app starts to reach the gateway. */
  readonly gateway: GatewayCommand;
  readonly clients: readonly ClientView[];
}

export interface ClientView extends UsedClient {
  readonly connected: boolean;
  /** Why its file can't be changed. */
  readonly problem?: string;
}

interface OnMachine {
  readonly machine: Machine;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface ClientEditOptions extends OnMachine {
  readonly scope?: 'user' | 'project';
  /** Absent: nothing is written. */
  readonly journal?: FileJournal;
}

export interface RestoreOptions extends Omit<OnMachine, 'machine'> {
  /** The file as it was; absent when there was none. */
  readonly before: Buffer | undefined;
  /** Also where our part of the file was changed by others; a copy of it is kept. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** The one way to other clients' files. Given to the hub by its opener. */
export interface ClientFiles {
  /** This very program, as a client would start it. */
  readonly gateway: GatewayCommand;
  readonly used: (machine: Machine) => Promise<readonly UsedClient[]>;
  readonly connect: (
    client: string,
    gateway: GatewayCommand | GatewayAddress,
    options: ClientEditOptions,
  ) => Promise<ClientEdit>;
  readonly disconnect: (client: string, options: ClientEditOptions) => Promise<ClientEdit>;
  readonly restore: (part: FilePart, options: RestoreOptions) => Promise<UndoneFile>;
}
