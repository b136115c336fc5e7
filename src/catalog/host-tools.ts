import { isObject } from '../base/json.ts';
import { suffixName } from './providers/shown-tool.ts';

export interface MergedTools<T> {
  /** The host's own object when nothing was added. */
  readonly tools: T;
  readonly renamed: Readonly<Record<string, string>>;
  readonly omitted: readonly { readonly name: string; readonly reason: string }[];
}

type ToolList = readonly object[];
type ToolRecord = Readonly<Record<string, object>>;

const NAME_CHARS_MAX = 64;

/** Tools that we added, so that a merged list can be merged again. */
const added = new WeakSet<object>();

/**
 * Adds our tools after the host's own, which stay untouched; on a name clash ours is renamed. Accepts an
 * earlier result: our old tools are replaced.
 */
export function mergeWithHostTools<T extends ToolList>(host: T, ours: ToolList): MergedTools<T | ToolList>;
export function mergeWithHostTools<T extends ToolRecord>(
  host: T,
  ours: ToolRecord,
): MergedTools<T | ToolRecord>;
export function mergeWithHostTools(
  host: ToolList | ToolRecord,
  ours: ToolList | ToolRecord,
): MergedTools<ToolList | ToolRecord> {
  return isList(host)
    ? mergeLists(host, isList(ours) ? ours : Object.values(ours))
    : mergeRecords(host, recordOf(ours));
}

function mergeLists(host: ToolList, ours: ToolList): MergedTools<ToolList> {
  const own = host.some((tool) => added.has(tool)) ? host.filter((tool) => !added.has(tool)) : host;
  const naming = nameAmong(own.flatMap(namesOf));
  const fitted = ours.flatMap((tool) => {
    const [name] = namesOf(tool);
    const free = naming.take(name);
    return free === undefined ? [] : [mark(free === name ? tool : withName(tool, free))];
  });
  return { tools: fitted.length === 0 ? own : [...own, ...fitted], ...naming.outcome() };
}

function mergeRecords(host: ToolRecord, ours: ToolRecord): MergedTools<ToolRecord> {
  const entries = Object.entries(host);
  const isMerged = entries.some(([, tool]) => added.has(tool));
  const own = isMerged ? Object.fromEntries(entries.filter(([, tool]) => !added.has(tool))) : host;
  const naming = nameAmong(Object.keys(own));
  const fitted = Object.entries(ours).flatMap(([name, tool]): [string, object][] => {
    const free = naming.take(name);
    return free === undefined ? [] : [[free, mark(tool)]];
  });
  const tools = fitted.length === 0 ? own : { ...own, ...Object.fromEntries(fitted) };
  return { tools, ...naming.outcome() };
}

function nameAmong(names: readonly string[]) {
  const taken = new Set(names);
  const renamed = new Map<string, string>();
  const omitted: { readonly name: string; readonly reason: string }[] = [];
  return {
    outcome: () => ({ renamed: Object.fromEntries(renamed), omitted }),
    take: (name: string | undefined): string | undefined => {
      if (name === undefined) {
        omitted.push({ name: '', reason: 'The tool has no name that a host could call.' });
        return undefined;
      }
      const free = taken.has(name) ? suffixName(name, name, NAME_CHARS_MAX) : name;
      if (taken.has(free)) {
        omitted.push({ name, reason: `The host has a tool called ${name} of its own.` });
        return undefined;
      }
      taken.add(free);
      if (free !== name) renamed.set(free, name);
      return free;
    },
  };
}

function namesOf(tool: object): readonly string[] {
  const { name, function: inner, functionDeclarations: many } = tool as Record<string, unknown>; // any object
  if (typeof name === 'string') return [name];
  if (isObject(inner) && typeof inner['name'] === 'string') return [inner['name']];
  return Array.isArray(many) ? many.filter(isObject).flatMap(namesOf) : [];
}

function withName(tool: object, name: string): object {
  const { function: inner } = tool as Record<string, unknown>; // any object
  return isObject(inner) ? { ...tool, function: { ...inner, name } } : { ...tool, name };
}

function mark(tool: object): object {
  added.add(tool);
  return tool;
}

function isList(tools: ToolList | ToolRecord): tools is ToolList {
  return Array.isArray(tools);
}

function recordOf(tools: ToolList | ToolRecord): ToolRecord {
  if (!isList(tools)) return tools;
  return Object.fromEntries(tools.flatMap((tool) => namesOf(tool).map((name) => [name, tool] as const)));
}
