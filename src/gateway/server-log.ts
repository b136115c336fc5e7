import type { JsonObject } from '../base/json.ts';
import { serverSays, wordsOnLine } from '../connections/server-words.ts';
import type { LogEntry } from '../hub/hub.ts';

/** Hosts show these beside ours, so logger and text both name the server. */
export function serverLog({ server, level, logger, data }: LogEntry): JsonObject {
  return {
    level,
    logger: logger === undefined ? server : `${server}/${wordsOnLine(logger)}`,
    data: typeof data === 'string' ? serverSays(server, data) : data,
  };
}
