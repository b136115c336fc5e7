import { PlugError } from '../../base/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { withHub, type Session } from '../session.ts';
import { faint } from '../output.ts';

interface ReadOnlyWords {
  readonly first?: string;
  readonly second?: string;
}

/** `plug read-only`: for everything, or for one server. */
export async function readOnly({ first, second }: ReadOnlyWords, session: Session): Promise<ExitCode> {
  // What was typed wrong is said before any hub is started for it.
  const { server, position } = readOnlyWords(first, second);
  return await withHub(session, async (hub) => {
    if (server === undefined) return await switchAll(hub, position, session);
    const { switchServers } = await import('./switch.ts');
    return await switchServers(hub, { names: [server], to: `read-only ${position ?? 'on'}` }, session);
  });
}

/** Alone or with on or off: one switch for every server, face and host. */
async function switchAll(hub: Hub, position: 'on' | 'off' | undefined, { out }: Session): Promise<ExitCode> {
  const settings =
    position === undefined
      ? await hub.settings.get()
      : await hub.settings.change({ readOnly: position === 'on' });
  const { withheld } = await hub.tools.list();
  const barred = withheld.filter(({ cause }) => cause === 'read_only').length;
  out.document({ readOnly: settings.readOnly, withheld: barred });
  if (settings.readOnly) {
    const tools = barred === 1 ? '1 tool is' : `${barred} tools are`;
    out.line(
      { style: 'warn', text: '◐ ' },
      `Read-only mode is on: ${tools} withheld, and refused when called.`,
    );
    out.line(faint('  next  '), 'plug read-only off');
  } else out.line('Read-only mode is off: what writes asks, or runs, as your rules say.');
  return exitCodes.ok;
}

/** The words after `plug read-only`: nothing, on or off; or a server, and on or off. */
function readOnlyWords(
  first: string | undefined,
  second: string | undefined,
): { readonly server?: string; readonly position?: 'on' | 'off' } {
  if (first === undefined) return {};
  if (second === undefined && isPosition(first)) return { position: first };
  if (second !== undefined && isPosition(second)) return { server: first, position: second };
  throw new PlugError('usage', `“${(second ?? first).slice(0, 80)}” is neither on nor off.`, {
    owner: 'you',
    remedy:
      second === undefined
        ? { do: 'type', line: `plug read-only ${first.slice(0, 80)} on` }
        : { do: 'type', line: 'plug read-only on' },
  });
}

function isPosition(word: string): word is 'on' | 'off' {
  return word === 'on' || word === 'off';
}
