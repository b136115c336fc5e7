/** Which forms of an answer a host takes. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Reads an Accept header. A host that says nothing takes JSON, and is not sent a stream unasked. */
export function readAccept(header: string | undefined): Accepted {
  // What every SDK sends is not taken apart for every request.
  if (header === 'application/json, text/event-stream' || header === 'text/event-stream, application/json') {
    return BOTH;
  }
  if (header === undefined) return JSON_ONLY;
  let json = false;
  let events = false;
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.toLowerCase().split(';');
    if (parameters.some((parameter) => REFUSED.test(parameter))) continue;
    const type = range.trim();
    if (type === '*/*' || type === 'application/json' || type === 'application/*') json = true;
    if (type === '*/*' || type === 'text/event-stream' || type === 'text/*') events = true;
  }
  return { json, events };
}

const BOTH: Accepted = { json: true, events: true };
const JSON_ONLY: Accepted = { json: true, events: false };
const REFUSED = /^\s*q\s*=\s*0(\.0*)?\s*$/;
