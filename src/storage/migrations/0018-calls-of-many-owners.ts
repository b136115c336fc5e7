import { sql, type Kysely } from 'kysely';
import type { SqlKind } from './tables.ts';

/**
 * Begins and ends calls of many owners in one statement, so that they wait for the disk once and together.
 * The rows of each are written in the owner's name: the policies of the tables hold for all of it.
 */
export async function addWriteCalls(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  if (kind === 'postgres') await sql.raw(WRITE_CALLS).execute(db);
}

/**
 * Each array but the first has the rows of all owners, one owner after the other; `…_to` says where those of
 * an owner end. Answers the places of the owners that it left out: another transaction holds their rows, or
 * the replica doesn't. Nothing waits, so that an owner whose rows are held up delays no other.
 */
const WRITE_CALLS = `
create function plugboard.write_calls(
  holder text, owners text[],
  begun_to int[], begun_ids text[], begun_bodies text[],
  ended_to int[], ended_ids text[], ended_ats bigint[], ended_servers text[], ended_tools text[],
  ended_outcomes text[], ended_durations bigint[], ended_sizes bigint[], ended_bodies text[],
  gone_to int[], gone_ids text[]
) returns int[] language plpgsql as $$
declare
  left_out int[] := '{}';
  b int := 0; e int := 0; g int := 0;
  whose text; chain_place bigint; chain_hash text; new_hash text;
begin
  for n in 1 .. coalesce(array_length(owners, 1), 0) loop
    whose := owners[n];
    perform set_config('app.owner', whose, true);
    if begun_to[n] > b then
      perform from plugboard.homes where owner = whose and replica = holder for no key update skip locked;
      if not found then
        left_out := left_out || n;
        b := begun_to[n]; e := ended_to[n]; g := gone_to[n];
        continue;
      end if;
    end if;
    if ended_to[n] > e then
      select place, hash into chain_place, chain_hash from plugboard.audit_chains
        where owner = whose for no key update skip locked;
      if not found then
        insert into plugboard.audit_chains (owner, place, hash) values (whose, 0, '') on conflict do nothing
          returning place, hash into chain_place, chain_hash;
      end if;
      if not found then
        left_out := left_out || n;
        b := begun_to[n]; e := ended_to[n]; g := gone_to[n];
        continue;
      end if;
      while e < ended_to[n] loop
        e := e + 1;
        new_hash := encode(sha256(convert_to(
          chain_hash || E'\\n' || (chain_place + 1) || E'\\n' || ended_bodies[e], 'UTF8')), 'hex');
        insert into plugboard.audit (owner, call_id, at, server, tool, outcome, duration_us, result_bytes,
            body, place, hash)
          values (whose, ended_ids[e], ended_ats[e], ended_servers[e], ended_tools[e], ended_outcomes[e],
            ended_durations[e], ended_sizes[e], ended_bodies[e], chain_place + 1, new_hash)
          on conflict (owner, call_id) do nothing;
        if found then
          chain_place := chain_place + 1;
          chain_hash := new_hash;
        end if;
      end loop;
      update plugboard.audit_chains set place = chain_place, hash = chain_hash where owner = whose;
    end if;
    while b < begun_to[n] loop
      b := b + 1;
      insert into plugboard.begun_calls (owner, call_id, body) values (whose, begun_ids[b], begun_bodies[b])
        on conflict do nothing;
    end loop;
    while g < gone_to[n] loop
      g := g + 1;
      delete from plugboard.begun_calls where owner = whose and call_id = gone_ids[g];
    end loop;
  end loop;
  perform set_config('app.owner', '', true);
  return left_out;
end $$`;
