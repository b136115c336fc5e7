import { defined } from '../../base/defined.ts';
import { DONE, faint, strong, type Piece } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { listOf, type Flags, type HubSession, type Texts } from '../session.ts';

/** Which searches led to which tools: it ranks the next search, and can be forgotten. */
export async function learnedTools(
  { server, clear }: Texts<'server'> & Flags<'clear'>,
  { hub, out }: HubSession,
): Promise<void> {
  if (clear) {
    await hub.tools.clearLearnedQueries();
    out.document({ learned: [] });
    out.line(DONE, 'Learned searches cleared.');
    return;
  }
  const of = defined({ server });
  const learned = await listOf(hub, of, () => hub.tools.learnedQueries(of));
  if (out.document({ learned })) return;
  if (learned.length === 0) {
    out.line('Nothing learned yet. A search counts once a successful call follows it.');
    return;
  }
  const rows = learned.map(({ tool, queries }): readonly Piece[] => [strong(tool), queries.join(', ')]);
  printTable(out, ['TOOL', flexible('FOUND BY')], rows);
  out.note(faint('Words are stored as stems. To clear them: plug tools learned --clear'));
}
