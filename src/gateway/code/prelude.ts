/**
 * What a script finds in its machine: `servers`, `tools` and `console`. It runs before the script,
 * keeps what it needs of the language to itself, and everything that leaves it is text. Nothing here
 * guards anything: limits and names are checked on the other side of `host`, where no script reaches.
 *
 * `host(kind, id, …texts)` answers nothing, or the sentence of a limit that is reached.
 * `names(server?)` answers a JSON list.
 */
export const PRELUDE = `(function (host, names) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const then = Promise.prototype.then;
  const waiting = new Map();
  const limitErrors = new WeakSet();
  let asked = 0;

  class ToolError extends Error {
    name = 'ToolError';
  }

  function told(error, message, code) {
    error.message = message;
    if (code !== undefined) error.code = code;
    return error;
  }

  function ask(kind, path, value) {
    return new Promise((resolve, reject) => {
      const text = stringify(value);
      const id = (asked += 1);
      // Made now, while the script's own line is on the stack.
      const error = new ToolError();
      const refused = host(kind, id, text, ...path);
      if (refused === undefined) waiting.set(id, { resolve, reject, error });
      else {
        limitErrors.add(error);
        reject(told(error, refused, 'limit'));
      }
    });
  }

  function tool(server, name) {
    return async function (args = {}) {
      if (typeof args !== 'object' || args === null || Array.isArray(args))
        throw new TypeError(server + '.' + name + ' takes one object with its arguments.');
      return ask('call', [server, name], args);
    };
  }

  // An object that is awaited, written or printed must not look like a tool's server.
  const NOT_TOOLS = ['then', 'catch', 'finally', 'toJSON', 'toString', 'valueOf', 'constructor', 'prototype', '__proto__'];

  function listed(known, make) {
    const made = Object.create(null);
    return new Proxy(made, {
      get(_, key) {
        if (typeof key !== 'string' || (NOT_TOOLS.includes(key) && !known().includes(key))) return undefined;
        return (made[key] ??= make(key));
      },
      has: (_, key) => known().includes(key),
      ownKeys: () => known(),
      getOwnPropertyDescriptor: (_, key) =>
        known().includes(key)
          ? { value: (made[key] ??= make(key)), enumerable: true, configurable: true, writable: true }
          : undefined,
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
      setPrototypeOf: () => false,
    });
  }

  const servers = listed(
    () => parse(names()),
    (server) => listed(() => parse(names(server)), (name) => tool(server, name)),
  );

  const tools = Object.freeze({
    search: async (query, options = {}) => ask('search', [], [query, options]),
    describe: async (...which) => ask('describe', [], which.flat()),
  });

  function shown(value) {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof Error) return value.name + ': ' + value.message;
      return stringify(value) ?? String(value);
    } catch {
      return Object.prototype.toString.call(value);
    }
  }

  const LINE_CHARS_MAX = 65536;
  const log = (...values) => {
    let text = '';
    for (const value of values) text += (text === '' ? '' : ' ') + shown(value);
    host('log', 0, text.slice(0, LINE_CHARS_MAX));
  };
  const console = Object.freeze({ log, info: log, warn: log, error: log, debug: log });

  for (const [name, value] of [['servers', servers], ['tools', tools], ['console', console]])
    Object.defineProperty(globalThis, name, { value, enumerable: true });

  function failed(error) {
    let message = 'The script threw something that cannot be shown.';
    let name = '';
    let stack = '';
    try {
      if (error instanceof Error) {
        name = String(error.name);
        message = (name === 'Error' || name === 'ToolError' ? '' : name + ': ') + String(error.message);
        stack = String(error.stack);
      } else message = 'The script threw ' + shown(error) + '.';
    } catch {}
    host('failed', 0, limitErrors.has(error) ? 'limit' : name, message, stack);
  }

  function returned(value) {
    let text;
    try {
      text = stringify(value);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it threw';
      return host('failed', 0, '', 'What the script returned cannot be written as JSON: ' + why + '.', '');
    }
    return text === undefined ? host('returned', 0) : host('returned', 0, text);
  }

  return {
    run(script) {
      apply(then, script(), [returned, failed]);
    },
    settle(id, ok, text, code) {
      const one = waiting.get(id);
      waiting.delete(id);
      if (one === undefined) return;
      if (!ok) one.reject(told(one.error, text, code));
      else {
        try {
          one.resolve(parse(text));
        } catch (error) {
          one.reject(error);
        }
      }
    },
  };
})`;
