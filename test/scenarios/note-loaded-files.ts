/**
 * Loaded before a program (`node --import`): notes every file that the program loads, a line each, in
 * the file that LOADED_FILES names.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const notes = process.env['LOADED_FILES'] ?? '';

registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) appendFileSync(notes, `${url}\n`);
    return next(url, context);
  },
});
