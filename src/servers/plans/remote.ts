import type { RegistryRemote } from '../registry/entry.ts';
import { problemOfUrl } from '../server-url.ts';
import { configFields } from './config-schema.ts';
import type { Form } from './form.ts';
import type { PlanRemote, PlanText, PlanValue, PlanWarning } from './plan.ts';

export type PlannedRemote =
  | { readonly kind: 'ok'; readonly remote: PlanRemote; readonly warnings: readonly PlanWarning[] }
  | { readonly kind: 'refused'; readonly why: string };

/** A server on the network: its address, headers and what its schema asks for. */
export function planRemote(given: RegistryRemote, form: Form): PlannedRemote {
  const url = form.template(given.url, { where: 'url', variables: given.variables });
  const sample = sampleAddress(url);
  const problem = problemOfUrl(sample);
  if (problem !== undefined) return { kind: 'refused', why: `its address cannot be used: ${problem}` };
  const bad = given.headers.find(({ name }) => !HEADER.test(name));
  if (bad) return { kind: 'refused', why: `${JSON.stringify(bad.name.slice(0, 80))} is no name of a header` };
  const headers = given.headers.map((input) => form.value(input, 'header'));
  const config = given.configSchema ? configFields(given.configSchema, form) : [];
  const byPlace = (place: 'header' | 'query'): readonly PlanValue[] =>
    config
      .filter((value) => value.place === place)
      .map(({ name, text, optional }) => ({ name, text, optional }));
  const remote: PlanRemote = {
    kind: 'remote',
    transport: given.kind,
    url,
    query: byPlace('query'),
    headers: [...headers, ...byPlace('header')],
  };
  return { kind: 'ok', remote, warnings: insecure(sample) };
}

/** An address with something plausible in its holes: a port has digits alone. */
export function sampleAddress(url: PlanText): string {
  return url.reduce<string>((sample, part) => {
    if (typeof part === 'string') return sample + part;
    return sample + (/:\/\/[^/]*:$/.test(sample) ? '1' : 'x');
  }, '');
}

/** RFC 9110 §5.6.2 */
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function insecure(sample: string): readonly PlanWarning[] {
  const { protocol, hostname } = new URL(sample);
  const here = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol !== 'http:' || here) return [];
  const message = `What is sent to ${hostname} can be read on the way: its address begins with http, not https.`;
  return [{ kind: 'insecure-url', message }];
}
