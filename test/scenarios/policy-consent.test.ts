import { expect, onTestFinished } from 'vitest';
import type { Answerer, Hub } from '../../src/hub/hub.ts';
import { LOCAL } from '../../src/hub/principal.ts';
import { openMemoryHub } from '../contracts/running-hub.ts';
import { verifies } from '../requirements.ts';
import { destroying, played, writing } from './calls-played.ts';

verifies(
  ['P6', 'P2'],
  'only a page can say that its person sent a form: no program, no terminal, no host and no page’s model can',
  async () => {
    const notes = played('notes', writing(), destroying());
    const hub = await openMemoryHub();
    onTestFinished(() => hub.close());
    await hub.servers.add({ definition: notes.definition });
    const connect = (kind: Answerer['kind']): Hub => hub.as({ id: `the-${kind}`, kind, principal: LOCAL });
    const form = { tool: 'notes/create_note', consent: 'form', requester: 'person' } as const;
    const page = connect('page');
    const host = await page.hosts.attach({ name: 'page', handlers: {} });
    for (const [client, request] of [
      [connect('library'), form],
      [connect('terminal'), form],
      [page, { ...form, requester: 'program' }],
      [page, { ...form, host: host.id }],
    ] as const) {
      await expect(client.tools.call(request)).rejects.toMatchObject({ code: 'denied', owner: 'you' });
    }
    expect(notes.calls()).toEqual([]);
    await page.tools.call(form);
    expect(notes.calls()).toHaveLength(1);
    const [record] = (await page.audit.query()).records;
    expect(record).toMatchObject({
      effect: 'allow',
      by: { kind: 'consent', consent: { kind: 'form' } },
      requester: { kind: 'person' },
    });
    await expect(page.tools.call({ ...form, tool: 'notes/delete_note' })).rejects.toMatchObject({
      code: 'approval_required',
    });
    await host.close();
  },
  40_000,
);
