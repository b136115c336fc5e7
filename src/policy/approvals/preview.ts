import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { ApprovalPreview } from '../approval.ts';
import { unifiedDiff } from './line-diff.ts';
import { type Replacement, type WrittenText, writtenText } from './written-text.ts';

export interface PreviewOptions {
  readonly limits: Limits;
  /** The text of a file as it is now. Given only for servers that write on this machine. */
  readonly read?: ((path: string) => Promise<string | undefined>) | undefined;
}

/** What a call would write, where its arguments tell. Undefined: nothing that can be shown so. */
export function previewOf(
  args: JsonObject,
  { limits, read }: PreviewOptions,
): ApprovalPreview | Promise<ApprovalPreview> | undefined {
  const written = writtenText(args);
  if (!written) return undefined;
  if (written.kind === 'text' || !read || written.patch !== undefined)
    return draw(written, undefined, limits);
  return read(written.path).then((earlier) => draw(written, earlier, limits));
}

function draw(written: WrittenText, earlier: string | undefined, limits: Limits): ApprovalPreview {
  const { kind, path } = written;
  if (written.patch !== undefined) return { kind, path, isDiff: true, text: cut(written.patch, limits) };
  const diff = (before: string, after: string): string =>
    unifiedDiff(before, after, { path, editsMax: limits.previewLineEditsMax });
  if (written.replacements) {
    const whole = earlier === undefined ? undefined : replaced(earlier, written.replacements);
    const text =
      earlier !== undefined && whole !== undefined
        ? diff(earlier, whole)
        : written.replacements.map(({ before, after }) => diff(before, after)).join('\n');
    return { kind, path, isDiff: true, text: cut(text, limits), ...(whole === undefined ? {} : FROM_DISK) };
  }
  const text = written.text ?? '';
  if (earlier === undefined) return { kind, path, isDiff: false, text: cut(text, limits) };
  return {
    kind,
    path,
    isDiff: true,
    text: cut(diff(earlier, written.appends ? earlier + text : text), limits),
    ...FROM_DISK,
  };
}

const FROM_DISK = { fromDisk: true } as const;

/** Undefined when the file does not hold what is to be replaced: then only the pairs can be shown. */
function replaced(text: string, replacements: readonly Replacement[]): string | undefined {
  let now = text;
  for (const { before, after, all } of replacements) {
    if (before === '' || !now.includes(before)) return undefined;
    // A function, since in a text “$&” would mean what was found.
    now = all ? now.replaceAll(before, () => after) : now.replace(before, () => after);
  }
  return now;
}

function cut(text: string, { previewCharsMax }: Limits): string {
  const rest = text.length - previewCharsMax;
  return rest <= 0 ? text : `${text.slice(0, previewCharsMax)}\n… ${rest} more characters`;
}
