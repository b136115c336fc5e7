import { toldToModel } from '../../base/remedy-sentence.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { markText } from '../../calls/external-text/mark.ts';
import { badArgument, textAnswer, textArgument } from '../../gateway/surfaces/answers.ts';
import { errorResult } from '../run-call.ts';
import type { WantedCall } from '../ask-model.ts';
import { contextOf } from './instructions.ts';
import { cut, setupLimits, short } from './limits.ts';
import { probe, propose, type Proposed, type Wanted } from './propose.ts';
import { secretOf } from './agree.ts';
import { findServer, listServers, proposeRemoval, searchRegistries, testServer } from './servers.ts';
import { doing, type Setup, type SetupTool } from './setup.ts';
import type { OfferedPlan, PlanOffer, Proposal, ServerView } from '../../hub/hub.ts';

export interface Told {
  readonly ours: string;
  readonly theirs?: string;
}

/** The model is told the outcome without secrets. */
export async function runTool(setup: Setup, call: WantedCall): Promise<JsonObject> {
  try {
    const run = TOOLS[call.name as SetupTool] as Tool | undefined; // a model may name any other
    if (!run || !Object.hasOwn(TOOLS, call.name)) throw unknownTool(call.name);
    return textAnswer(await shown(setup, call.name, await run(setup, call.args, call.id)));
  } catch (thrown) {
    if (setup.signal.aborted) return errorResult(new PlugError('cancelled', 'Cancelled.', { owner: 'you' }));
    const { code, owner, message, remedy } = toPlugError(thrown);
    const theirs = toldToModel(message, remedy, '\n');
    const text = await shown(setup, call.name, { ours: 'This did not work.', theirs });
    return errorResult(new PlugError(code, text, { owner }));
  }
}

type Tool = (setup: Setup, args: JsonObject, id: string) => Promise<Told>;

const TOOLS: Readonly<Record<SetupTool, Tool>> = {
  search_registry: async (setup, args, id) => {
    const query = short(textArgument(args, 'query', 'search_registry'));
    const { results, registries } = await searchRegistries(setup, query, id);
    const lines = [
      ...results.map(
        ({ address, title, description, verified }) =>
          `- ${address}: ${short(title)}${verified ? ', verified' : ''}. ` +
          cut(description, setupLimits.descriptionCharsMax),
      ),
      ...registries
        .filter(({ state }) => state === 'failed')
        .map(({ name, reason = 'no answer' }) => `The registry ${name} failed: ${reason}`),
    ];
    if (lines.length === 0) return { ours: 'No registry lists a server for that.' };
    const ours = 'Give the name of one to save_server, or ask the person which one.';
    return { ours, theirs: lines.join('\n') };
  },
  probe_endpoint: (setup, args, id) =>
    probe(setup, wantedText(setup, args, { tool: 'probe_endpoint', field: 'url' }), id),
  parse_config: (setup, args, id) => readConfig(setup, wantedText(setup, args, { tool: 'parse_config' }), id),
  save_server: async (setup, args, id) => {
    const only = Array.isArray(args['only']) ? args['only'].filter((name) => typeof name === 'string') : [];
    const wanted = wantedText(setup, args, { tool: 'save_server' });
    return offerText(await propose(setup, { ...wanted, only }, id));
  },
  list_servers: async (setup, _args, id) => {
    const servers = await listServers(setup, id);
    const events = await setup.agent.hub.servers.events({ limit: setupLimits.errorsToldMax * 4 });
    return { ours: 'The person’s servers:', theirs: contextOf(servers, events) };
  },
  test_connection: async (setup, args, id) => {
    if (args['server'] === undefined) {
      return probe(setup, wantedText(setup, args, { tool: 'test_connection' }), id, 'test_connection');
    }
    const { says, works } = await testServer(setup, textArgument(args, 'server', 'test_connection'), { id });
    return { ours: works ? 'It works.' : 'It doesn’t work yet. Tell the person what to do.', theirs: says };
  },
  remove_server: async (setup, args, id) => {
    const server = textArgument(args, 'server', 'remove_server');
    const { view, credentials } = await proposeRemoval(setup, server, id);
    const lost = credentials.length === 0 ? 'nothing' : credentials.join(', ');
    const ours = 'The person is being asked on a card. Nothing was removed.';
    return { ours, theirs: `${view.id}; forgotten with it: ${lost}` };
  },
  enable_server: (setup, args, id) => proposeSwitch(setup, args, { id, on: true }),
  disable_server: (setup, args, id) => proposeSwitch(setup, args, { id, on: false }),
  sign_in: (setup, args, id) =>
    asking(setup, args, { id, tool: 'sign_in' }, ({ id: server, transport }) => {
      if (transport === 'stdio') throw noSignIn(server);
      return { kind: 'sign-in', server };
    }),
  give_key: (setup, args, id) =>
    asking(setup, args, { id, tool: 'give_key' }, async ({ id: server }) => ({
      kind: 'key',
      server,
      ...(await secretOf(setup, server)),
    })),
  undo: (setup) => {
    const last = setup.state.deeds.at(-1) ?? [];
    const done = last.map(({ kind, server }) => `${server}: ${kind}`).join('\n');
    if (done === '') return Promise.resolve({ ours: 'Nothing was changed in this conversation yet.' });
    return Promise.resolve({
      ours: 'Only the person can undo this: ask them to say “undo”. What would be undone:',
      theirs: done,
    });
  },
};

function proposeSwitch(
  setup: Setup,
  args: JsonObject,
  { id, on }: { readonly id: string; readonly on: boolean },
): Promise<Told> {
  const tool = on ? 'enable_server' : 'disable_server';
  return asking(setup, args, { id, tool }, ({ id: server }) => ({ kind: 'switch', server, on }));
}

/** Puts one question about a server of the person's before them. */
function asking(
  setup: Setup,
  args: JsonObject,
  { id, tool }: { readonly id: string; readonly tool: SetupTool },
  make: (view: ServerView) => Proposal | Promise<Proposal>,
): Promise<Told> {
  const wanted = textArgument(args, 'server', tool);
  return doing(setup, { id, tool, says: `Looking at ${short(wanted)}` }, async () => {
    const view = await findServer(setup, wanted);
    setup.proposals.add(await make(view));
    setup.turn.spokeOf(view.id);
    const ours = 'The person is being asked on a card. Nothing was done yet.';
    return { value: { ours, theirs: view.id }, says: `Ready for you to decide: ${view.id}` };
  });
}

function noSignIn(server: string): PlugError {
  const message = `${server} runs on the person’s machine and takes a key, not a sign-in.`;
  return new PlugError('usage', message, { owner: 'you' });
}

function wantedText(
  { person }: Setup,
  args: JsonObject,
  { tool, field = 'text' }: { readonly tool: SetupTool; readonly field?: string },
): Wanted {
  const number = args['paste'] === undefined || args['paste'] === null ? undefined : Number(args['paste']);
  const given = args[field] ?? args['text'];
  if (number === undefined && typeof given === 'string' && given.trim() !== '') {
    if (given.includes('[secret]')) {
      throw badArgument(tool, field, 'it holds [secret]; give the number of the message as “paste” instead');
    }
    return { text: given.trim(), byModel: !person.wrote(given) };
  }
  const message = number ?? person.last;
  const text = person.text(message);
  if (text === undefined) throw badArgument(tool, 'paste', `there are messages 1 to ${person.last}`);
  return { text, message, byModel: false };
}

async function shown({ agent, mask }: Setup, tool: string, { ours, theirs }: Told): Promise<string> {
  if (theirs === undefined) return ours;
  const max = setupLimits.resultCharsMax;
  const text = theirs.length > max ? `${theirs.slice(0, max)}…` : theirs;
  const boundary = agent.ids.next('ext');
  return `${ours}\n${markText(await mask.hide(text), { server: 'plug', tool, boundary })}`;
}

function unknownTool(name: string): PlugError {
  const known = Object.keys(TOOLS).join(', ');
  const message = `There is no tool “${short(name)}”. There are: ${known}.`;
  return new PlugError('bad_arguments', message, { owner: 'server' });
}

/** Contacts nobody, and proposes nothing but a correction. */
function readConfig(setup: Setup, { text, message, byModel }: Wanted, id: string): Promise<Told> {
  const says = byModel ? 'Reading a configuration' : 'Reading your paste';
  return doing(setup, { id, tool: 'parse_config', says }, async () => {
    const { format, servers, problems, repair, notMcp } = await setup.agent.hub.plans.recognize({ text });
    const lines = [
      `Read as: ${format || 'nothing'}`,
      ...servers
        .slice(0, setupLimits.serversToldMax)
        .map(
          ({ name, transport = 'unknown', needs, declined }) =>
            `- ${name}: ${transport}${needs.length > 0 ? `, needs ${needs.join(', ')}` : ''}` +
            (declined === undefined ? '' : `. Declined: ${declined}`),
        ),
      ...(notMcp === undefined ? [] : [notMcp]),
      ...repairLines({ problems, ...(repair ? { repair } : {}) }),
    ];
    const isUnseen = repair !== undefined && !byModel && message === setup.person.last;
    if (isUnseen) {
      setup.proposals.add({ kind: 'repair', offer: { problems, repair } });
      setup.proposals.repaired = message;
    }
    const ours = isUnseen
      ? 'It is damaged. The person is shown the corrected version and asked whether to use it.'
      : 'This is what it contains. Nothing was proposed yet.';
    return { value: { ours, theirs: lines.join('\n') }, says: format || 'Found nothing in it' };
  });
}

function offerText({ offer, plans, left, isRepair }: Proposed): Told {
  if (isRepair) {
    return {
      ours:
        'The text is damaged. The person is shown the corrected version and asked whether to use it. ' +
        'Once they say yes, call save_server again with the same paste.',
      theirs: repairLines(offer).join('\n'),
    };
  }
  const lines = [
    ...plans.map(planLine),
    ...(left === 0
      ? []
      : [`${left} more are in it than can be proposed at once: name them with “only” next.`]),
    ...offer.declined.map(({ name, why }) => `Declined: ${name}: ${why}`),
    ...offer.problems.map(({ line, message }) => `${line === undefined ? '' : `Line ${line}: `}${message}`),
    ...(offer.notMcp === undefined ? [] : [offer.notMcp]),
  ];
  const choices = plans.length === 0 ? offer.choices.slice(0, setupLimits.choicesMax) : [];
  const ours =
    plans.length > 0
      ? 'The person is being asked on a card, which has fields for keys. Nothing was saved.'
      : choices.length > 0
        ? 'Several servers fit. The person is being asked which one.'
        : 'There is nothing to add in this. Tell the person why.';
  const named = choices.map(({ address, title }) => `- ${address}: ${short(title)}`);
  return { ours, theirs: [...lines, ...named].join('\n') || `Read as: ${offer.format}` };
}

function repairLines({ repair, problems }: Pick<PlanOffer, 'repair' | 'problems'>): readonly string[] {
  return [
    ...(repair?.changes.map(({ line, what }) => `Line ${line}: ${what}`) ?? []),
    ...problems.map(({ line, message }) => `${line === undefined ? '' : `Line ${line}: `}${message}`),
    ...(repair ? [`Corrected:\n${repair.text.slice(0, setupLimits.repairCharsMax)}`] : []),
  ];
}

function planLine({ server, view, needs }: OfferedPlan): string {
  const { title, summary, form, auth, warnings } = view;
  const missing = form.filter(({ id }) => needs.includes(id)).map(({ label }) => label);
  return [
    `${server} (${title}): ${summary}`,
    missing.length > 0 ? `Fields to fill in: ${missing.join(', ')}.` : '',
    `Sign-in: ${auth.why}`,
    ...warnings.map(({ message }) => message),
  ]
    .filter((part) => part !== '')
    .join(' ');
}
