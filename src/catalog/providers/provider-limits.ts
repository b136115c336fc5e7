/**
 * Sources: OpenAI “Function calling” and chat completions; Anthropic “Define tools”; Google “Function
 * calling with the Gemini API”, `FunctionDeclaration` and `Schema`; MCP specification, tools.
 */
export interface ProviderLimits {
  readonly name: RegExp;
  readonly nameCharsMax: number;
  /** Undefined: anything. */
  readonly field: RegExp | undefined;
  readonly toolsMax: number | undefined;
  /** No composition, `enum`, `const` or `not` at the top of a schema. */
  readonly flatTop: boolean;
  readonly needsProperties: boolean;
  readonly needsItems: boolean;
  readonly only2020: boolean;
}

export type Provider = 'openai' | 'anthropic' | 'gemini' | 'ai-sdk' | 'mcp';

const WORD = /^[a-zA-Z0-9_-]{1,64}$/;
const LOOSE_FIELD = /^[a-zA-Z0-9_.-]{1,64}$/;
const STRICT_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const STRICT_FIELD = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const COMMON = {
  name: WORD,
  nameCharsMax: 64,
  field: undefined,
  toolsMax: undefined,
  flatTop: true,
  only2020: true,
};
const ANY_SCHEMA = { ...COMMON, needsProperties: false, needsItems: false };

export const PROVIDER_LIMITS: Readonly<Record<Provider, ProviderLimits>> = {
  openai: { ...COMMON, toolsMax: 128, needsProperties: true, needsItems: true, only2020: false },
  anthropic: { ...ANY_SCHEMA, field: LOOSE_FIELD },
  gemini: { ...COMMON, name: STRICT_NAME, field: STRICT_FIELD, needsProperties: false, needsItems: true },
  // What all providers behind the SDK take.
  'ai-sdk': { ...COMMON, name: STRICT_NAME, field: LOOSE_FIELD, needsProperties: true, needsItems: true },
  mcp: { ...ANY_SCHEMA, name: /^[a-zA-Z0-9_.-]{1,128}$/, nameCharsMax: 128, flatTop: false, only2020: false },
};

export const GEMINI_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};
