import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

/** What the fixture server of the page's tests is told to be. */
export interface PageFixture {
  /** Written as it starts; `~key~` stands for its API_KEY, `~pid~` for its process. */
  readonly stderr?: readonly string[];
  readonly serverInfo?: JsonObject;
  readonly tools?: readonly PageTool[];
  /** Ends after its stderr, before the handshake. */
  readonly refuses?: boolean;
  /** Never answers. */
  readonly silent?: boolean;
}

export interface PageTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
  readonly result?: JsonObject;
}

const program = fileURLToPath(new URL('page-fixture-server.ts', import.meta.url));

/** A tool that reads, and answers so. */
export function tool(name: string, result?: JsonObject, meta?: JsonObject): PageTool {
  return {
    name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    ...(meta ? { _meta: meta } : {}),
    ...(result ? { result } : {}),
  };
}

/** As somebody would paste it. */
export function pasted(id: string, fixture: PageFixture, env: Readonly<Record<string, string>> = {}): string {
  const args = argsOf(fixture);
  return JSON.stringify({ mcpServers: { [id]: { command: process.execPath, args, env } } });
}

export function defined(id: string, fixture: PageFixture): ServerDefinition {
  const args = argsOf(fixture);
  return defineServer({ id, endpoint: { kind: 'stdio', command: process.execPath, args, env: {} } });
}

/** What is too long for a command line stands in a file. */
function argsOf(fixture: PageFixture): readonly string[] {
  const text = JSON.stringify(fixture);
  if (text.length < 50_000) return [program, text];
  const file = join(temporaryFolder(), 'fixture.json');
  writeFileSync(file, text);
  return [program, file];
}

/** A picture of one pixel. */
export const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
