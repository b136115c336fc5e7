import { isObject } from '../../base/json.ts';

/** Calls as hosts, models and programs nearly always make them; the schema decides about every other. */
export function isUsualCall(input: unknown): boolean {
  if (!isObject(input)) return false;
  for (const field in input) if (!isUsual(field, input[field])) return false;
  return input['tool'] !== undefined;
}

function isUsual(field: string, value: unknown): boolean {
  switch (field) {
    case 'tool':
      return typeof value === 'string' && value.length > 0 && value.length <= NAME_CHARS_MAX;
    case 'host':
    case 'profile':
      return typeof value === 'string' && value.length <= ID_CHARS_MAX;
    case 'args':
    case 'meta':
    case 'fields':
      return isObject(value);
    case 'approval':
      return value === 'wait' || value === 'refuse';
    case 'requester':
      return value === 'person' || value === 'program';
    case 'whole':
    case 'wholeStructured':
    case 'readOnly':
    case 'passTask':
    case 'forModel':
      return typeof value === 'boolean';
    default:
      return false;
  }
}

/** No more than in the schema. */
const NAME_CHARS_MAX = 512;
const ID_CHARS_MAX = 128;
