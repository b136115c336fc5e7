import type { JsonObject } from '../base/json.ts';
import { serverSays, wordsOnLine } from '../connections/server-words.ts';
import type { LogEntry } from '../hub/hub.ts';

/**
 * A log message of a server as its host gets it: hosts show such messages beside ours, so that both
 * the name of the logger and the text say whose it is.
 */
export function serverLog({ server, level, logger, data }: LogEntry): JsonObject {
  return {
    level,
    logger: logger === undefined ? server : `${server}/${wordsOnLine(logger)}`,
    data: typeof data === 'string' ? serverSays(server, data) : data,
  };
}
