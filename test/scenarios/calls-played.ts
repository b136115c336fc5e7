import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { programFile } from '../suite/program-file.ts';

/** A tool as its server defines it, and what it does when it is called. */
export interface PlayedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
  readonly plays?: {
    readonly text?: string;
    readonly result?: JsonObject;
    readonly error?: JsonObject;
    /** Answers with this variable of its environment. */
    readonly env?: string;
    /** Ends the process in the middle of this many calls. */
    readonly crashes?: number;
    readonly silent?: boolean;
    readonly lines?: { readonly bytes: number; readonly last: string };
  };
}

export interface Played {
  readonly definition: ServerDefinition;
  readonly command: readonly string[];
  /** Every call that reached the server, oldest first. */
  readonly calls: () => readonly {
    readonly name: string;
    readonly args: JsonObject;
    readonly meta?: JsonObject;
  }[];
  /** From now on it offers these, and says so. */
  readonly offer: (...tools: readonly PlayedTool[]) => void;
}

const program = programFile('scenarios/calls-server');

/** A real server with these tools, whose calls can be counted. */
export function played(id: string, ...tools: readonly PlayedTool[]): Played {
  const file = join(temporaryFolder(), `${id}.json`);
  const offer = (...now: readonly PlayedTool[]): void => writeFileSync(file, JSON.stringify(now));
  offer(...tools);
  const command = process.execPath;
  const args = [program, file];
  return {
    definition: defineServer({ id, endpoint: { kind: 'stdio', command, args, env: {} } }),
    command: [command, ...args],
    calls: () => {
      if (!existsSync(`${file}.calls`)) return [];
      const lines = readFileSync(`${file}.calls`, 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as ReturnType<Played['calls']>[number]); // as it was written
    },
    offer,
  };
}

const anything: JsonObject = { type: 'object' };

/** By its name and its hint it only reads. */
export function reading(name = 'get_note', plays: PlayedTool['plays'] = {}): PlayedTool {
  return {
    name,
    description: 'Gets a note.',
    inputSchema: anything,
    annotations: { readOnlyHint: true },
    plays,
  };
}

/** It changes something, but destroys nothing. */
export function writing(name = 'create_note', plays: PlayedTool['plays'] = {}): PlayedTool {
  const annotations = { readOnlyHint: false, destructiveHint: false };
  return { name, description: 'Creates a note.', inputSchema: anything, annotations, plays };
}

export function destroying(name = 'delete_note', plays: PlayedTool['plays'] = {}): PlayedTool {
  return {
    name,
    description: 'Deletes a note.',
    inputSchema: anything,
    annotations: { destructiveHint: true },
    plays,
  };
}
