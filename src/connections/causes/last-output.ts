/** The line of a program's output that tells why it ended: a runtime puts its own lines below it. */
export function tellingLine(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line.trim() !== '');
  if (last === undefined || !BELOW.test(last)) return last;
  return (
    lines.findLast((line) => ERROR.test(line)) ??
    lines.find((line) => NPM_ERROR.test(line)) ??
    lines.findLast((line) => line.trim() !== '' && !BELOW.test(line)) ??
    last
  );
}

/** The last `count` lines, with the telling one among them. */
export function tellingEnd(lines: readonly string[], count: number): readonly string[] {
  const spoken = lines.filter((line) => line.trim() !== '');
  const telling = tellingLine(spoken);
  const end = spoken.slice(-count);
  if (telling === undefined || end.includes(telling)) return end;
  const without = spoken.filter((line) => !BELOW.test(line));
  const shorter = without.slice(-count);
  return shorter.includes(telling) ? shorter : [telling, ...end.slice(1)];
}

/** Frames of a stack, the rest of a printed error, and what runtimes say about themselves. */
const BELOW =
  /^Node\.js v\d|^npm (?:error|ERR!) A complete log of this run|^Run 'docker .*--help'|^\s+at |^\s*[}\])]+[,;]?\s*$|^\s*(?:code|errno|syscall|path|requireStack): |^\s*(?:→|- \/)|^Require stack:|^npm notice|^Bun v\d/;
const ERROR = /\b[A-Z]?\w*Error: \S|^docker: \S/;
/** The first of npm's lines that says more than a code, a path or a number. */
const NPM_ERROR =
  /^npm (?:error|ERR!) (?!code |errno |syscall |path |command |dest |A complete log|404 (?:Note|Not Found|$)|\s*$)/;
