import { sampleAddress } from './remote.ts';
import type { InstallPlan, PlanArgument, PlanCommand, PlanText, PlanValue } from './plan.ts';
import { specOf } from './plan.ts';
import { shellWord } from '../../base/shell-words.ts';
import { unseen } from '../../base/unseen-characters.ts';

/** For a terminal or a page. Every text is complete and escaped. */
export interface PlanView extends Pick<
  InstallPlan,
  'id' | 'title' | 'form' | 'auth' | 'warnings' | 'untrusted'
> {
  readonly from: string;
  readonly summary: string;
  readonly command?: string;
  readonly argv?: readonly string[];
  readonly url?: string;
  readonly env: readonly NamedText[];
  readonly headers: readonly NamedText[];
  readonly package?: {
    readonly name: string;
    readonly version: string;
    readonly pinned: string;
    readonly integrity?: string;
  };
  readonly steps: readonly string[];
  /** The answer for “enter”. */
  readonly defaultAnswer: 'yes' | 'no';
}

interface NamedText {
  readonly name: string;
  readonly value: string;
}

export function renderPlan(plan: InstallPlan): PlanView {
  const { target, package: pack } = plan;
  const argv = target.kind === 'command' ? argvOf(target, plan) : undefined;
  const severe = plan.warnings.some(({ kind }) => kind === 'similar-name' || kind === 'dangerous-variable');
  return {
    id: plan.id,
    title: showAll(plan.title),
    from: fromOf(plan),
    summary: summaryOf(plan),
    ...(argv === undefined ? {} : { argv: argv.map(showAll), command: argv.map(showWord).join(' ') }),
    ...(target.kind === 'remote' ? { url: addressOf(target.url, target.query, plan) } : {}),
    env: target.kind === 'remote' ? [] : target.env.map((value) => pairOf(value, plan)),
    headers: target.kind === 'remote' ? target.headers.map((value) => pairOf(value, plan)) : [],
    ...(pack === undefined
      ? {}
      : {
          package: {
            name: showAll(pack.name),
            version: showAll(pack.version ?? 'not known yet'),
            pinned: pack.pinned,
            ...(pack.integrity === undefined ? {} : { integrity: showAll(pack.integrity) }),
          },
        }),
    steps: stepsOf(plan),
    form: plan.form.map((field) => ({
      ...field,
      label: showAll(field.label),
      ...(field.title === undefined ? {} : { title: showAll(field.title) }),
      ...(field.description === undefined ? {} : { description: showAll(field.description) }),
    })),
    auth: plan.auth,
    warnings: plan.warnings.map(({ kind, message }) => ({ kind, message: showAll(message) })),
    untrusted: plan.untrusted,
    defaultAnswer: plan.untrusted || severe ? 'no' : 'yes',
  };
}

function fromOf({ source, untrusted }: InstallPlan): string {
  if (untrusted) return 'a link from another person';
  return PLACES[source.kind] + (source.name === undefined ? '' : ` (${showAll(source.name)})`);
}

const PLACES = {
  official: 'a registry',
  smithery: 'Smithery',
  featured: 'the featured servers',
  manual: 'your input',
  file: 'a config file',
  import: 'another client',
};

function summaryOf({ target, package: pack, untrusted }: InstallPlan): string {
  const careful = untrusted ? ' Confirm only if you trust the author of the link.' : '';
  if (target.kind === 'remote') return `Connects to ${hostOf(target.url)}.${careful}`;
  if (target.kind === 'bundle')
    return `Downloads a bundle, checks its sum and runs it on this machine.${careful}`;
  const what = pack === undefined ? showAll(target.command) : showAll(specOf(pack));
  return `Runs ${what} on this machine, with your permissions.${careful}`;
}

function hostOf(url: PlanText): string {
  const sample = sampleAddress(url);
  return URL.canParse(sample) ? new URL(sample).host : showAll(sample);
}

function argvOf({ command, args }: PlanCommand, plan: InstallPlan): readonly string[] {
  return [command, ...args.flatMap((argument) => wordsOf(argument, plan))];
}

function wordsOf(argument: PlanArgument, plan: InstallPlan): readonly string[] {
  const { flag, text, style, optional, whenEnv } = argument;
  if (text === undefined) return flag === undefined ? [] : [flag];
  const value = shownText(text, plan);
  const words = flag === undefined ? [value] : style === 'equals' ? [`${flag}=${value}`] : [flag, value];
  // Optional parts are in brackets.
  return optional || whenEnv !== undefined ? [`[${words.join(' ')}]`] : words;
}

function addressOf(url: PlanText, query: readonly PlanValue[], plan: InstallPlan): string {
  const pairs = query.map(({ name, text }) => `${encodeURIComponent(name)}=${shownText(text, plan)}`);
  return showAll(shownText(url, plan) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

function pairOf({ name, text }: PlanValue, plan: InstallPlan): NamedText {
  return { name: showAll(name), value: showAll(shownText(text, plan)) };
}

function shownText(text: PlanText, plan: InstallPlan): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('package' in part) return plan.package === undefined ? '' : specOf(plan.package);
      return `‹${plan.form.find(({ id }) => id === part.field)?.label ?? part.field}›`;
    })
    .join('');
}

function stepsOf(plan: InstallPlan): readonly string[] {
  return plan.steps.map((step) =>
    step.kind === 'download'
      ? `Download ${showAll(step.url)} and check that its sha256 is ${step.sha256}.`
      : `Start it yourself: ${argvOf(step.command, plan).map(showWord).join(' ')}`,
  );
}

/** Shows invisible characters as `\u{…}`. */
function showAll(text: string): string {
  return text.replaceAll(unseen(), (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

function showWord(word: string): string {
  return shellWord(showAll(word));
}
