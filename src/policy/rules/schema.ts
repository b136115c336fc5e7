import type { JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import {
  ACTIONS,
  CALL_RULE_FIELDS,
  DATA_RULE_FIELDS,
  EFFECTS,
  REQUESTERS,
  RISKS,
  SECRETS_IN_RESULTS,
} from './rule.ts';

const effect = { enum: EFFECTS } satisfies JsonObject;
const name = text(limits.ruleNameCharsMax, 'Said whenever this rule decides. No two rules have the same.');
const glob = text(limits.globCharsMax, '* stands for any characters, ? for one.');

const REGEX = 'A regular expression (RE2) that is found anywhere in the value.';
const args: JsonObject = {
  type: 'object',
  minProperties: 1,
  maxProperties: limits.grantPatternPathsMax,
  description: 'Dotted path of an argument, such as body.text or to.*, and what its value must look like.',
  propertyNames: { minLength: 1, maxLength: limits.globCharsMax },
  additionalProperties: {
    anyOf: [glob, fields(['matches'], { matches: text(limits.ruleRegexCharsMax, REGEX) })],
  },
};

const when: JsonObject = {
  ...fields([], {
    action: {
      ...words(ACTIONS),
      description: 'Default: call. Connecting and listing know only a server and a requester.',
    },
    server: { ...glob, pattern: '^[^/]+$', description: 'Glob over the name of the server.' },
    tool: { ...glob, pattern: '^[^/]+/.', description: 'Glob over server/tool.' },
    risk: words(RISKS),
    args,
    requester: { ...words(REQUESTERS), description: 'Who asks.' },
  }),
  minProperties: 1,
  anyOf: [
    { properties: { action: { items: { const: 'call' } } } },
    { not: { anyOf: ['tool', 'risk', 'args'].map((field) => ({ required: [field] })) } },
  ],
};

/** For editors: completion, and errors where `plug` would refuse. */
export const rulesSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Rules of Plugboard',
  ...fields([], {
    $schema: { type: 'string' },
    defaults: {
      ...fields([], {
        connect: { ...effect, description: 'A server that is not trusted is connected.' },
        list: { ...effect, description: 'The tools of a server that is not trusted are listed.' },
        call: fields([], {
          read: { ...effect, description: 'A read-only tool of a trusted server.' },
          write: effect,
          destructive: { enum: ['ask', 'deny'] },
          unknown: { ...effect, description: 'Also a read on a server that is not trusted.' },
        }),
      }),
      description: 'What happens where no rule, no grant and no trust decides.',
    },
    rules: {
      type: 'array',
      maxItems: limits.rulesMax,
      description: 'Deny wins over ask, ask wins over allow; the order does not matter.',
      items: {
        if: { anyOf: [{ required: ['from'] }, { required: ['to'] }] },
        // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
        then: {
          ...fields(DATA_RULE_FIELDS, {
            name,
            from: {
              ...glob,
              description: 'Glob over the server, or over server/tool, that the data came from.',
            },
            to: { ...glob, description: 'Glob over the server, or over server/tool, that it would go to.' },
            // oxlint-disable-next-line unicorn/no-thenable -- the word of the rules file
            then: { enum: ['ask', 'deny'] },
          }),
          description: 'What came from one server may not go to another.',
        },
        // oxlint-disable-next-line unicorn/no-thenable -- the word of the rules file
        else: fields(CALL_RULE_FIELDS, { name, when, then: effect }),
      },
    },
    secretsInResults: {
      enum: SECRETS_IN_RESULTS,
      description: 'Known secrets in the result of a call: masked (default), the result blocked, or kept.',
    },
  }),
};

function fields(required: readonly string[], properties: JsonObject): JsonObject {
  const needed = required.length > 0 ? { required } : {};
  return { type: 'object', additionalProperties: false, ...needed, properties };
}

function text(maxLength: number, description: string): JsonObject {
  return { type: 'string', minLength: 1, maxLength, description };
}

function words(known: readonly string[]): JsonObject {
  return { type: 'array', minItems: 1, items: { enum: known } };
}
