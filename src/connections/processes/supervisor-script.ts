// Two POSIX sh scripts: a Node process costs 45 MB and 40 ms (decisions/2026-11-15-process-supervision.md).

/** Name of the variable that marks every process of one server's tree. */
export const TREE_VARIABLE = 'PLUG_TREE';

/** The watcher's $0 tells it apart from the processes of the server. */
export const WATCHER_NAME = 'plug-watcher';
export const LAUNCHER_NAME = 'plug-supervisor';

/** Shares of the time between TERM and KILL after which the watcher looks again. */
const LOOKS = [0.025, 0.075, 0.15, 0.25, 0.5];

/**
 * Blocks on the lifeline, fd 3, until the hub closes it, on purpose or by dying. The watcher is in the
 * server's process group, so the group's number cannot be recycled while it lives.
 *
 * $1 is the group, $2 the marker. The leader is looked at first, because that costs no process; marked
 * processes are searched for only when it is gone. The final KILL takes the watcher too, which it says
 * beforehand: a lifeline that ends without a word means that the watcher was killed. The KILL comes at
 * the deadline even if reading another process's environment should hang.
 */
export function watcherScript(options: { readonly termMs: number }): string {
  const looks = LOOKS.map((share) => ((share * options.termMs) / 1000).toFixed(3)).join(' ');
  const deadline = Math.ceil(options.termMs / 1000) + 1;
  return `# Plugboard: ends one server and all it started when the hub lets go.
trap '' HUP INT TERM
carriers() {
  cd /proc && exec grep -slF "${TREE_VARIABLE}=$marker" [0-9]*/environ
}
group=$1 marker=$2
read -r line <&3
( sleep ${deadline}; kill -s KILL -- "-$group" ) &
kill -s TERM -- "-$group"
for look in ${looks}; do
  if ! kill -0 "$group"; then
    [ -d /proc/self ] || sleep 0.5
    [ -n "$(carriers)" ] || break
  fi
  sleep "$look" || sleep 1
done
for round in 1 2 3 4 5; do
  found=$(carriers)
  [ -n "$found" ] || break
  for file in $found; do kill -s KILL "\${file%/environ}"; done
  sleep 0.05
done
echo done >&3
kill -s KILL -- "-$group"
`;
}

/**
 * Starts the watcher detached (a server may wait for all its children), with an empty environment and
 * none of the server's pipes, and becomes the server: the hub sees its own pid, exit code and signal.
 * $1 is the watcher's script, $2 the marker, $3 the fds to close, and the rest is the server.
 */
export const LAUNCHER_SCRIPT = `# Plugboard: starts one server under its watcher.
watch=$1 marker=$2
for fd in $3; do eval "exec $fd<&-"; done
shift 3
( exec env -i PATH="/usr/bin:/bin:/run/current-system/sw/bin:$PATH" /bin/sh -c "$watch" ${WATCHER_NAME} "$$" "$marker" </dev/null >/dev/null 2>&1 & )
unset watch marker fd
exec "$@" 3<&-
`;
