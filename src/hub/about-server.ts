import type { Manifest } from '../connections/manifest.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { featuredAt } from '../servers/featured.ts';

const CHARS_MAX = 160;
const NAMES_MAX = 3;

/** What a server is for, in a sentence: as it says itself, as it is known for, or by its first tools. */
export function aboutServer(
  definition: ServerDefinition,
  manifest: Manifest | undefined,
): string | undefined {
  const said = manifest?.serverInfo['description'];
  const words =
    typeof said === 'string' && said.trim() !== '' ? said : featuredAt(definition.endpoint)?.about;
  if (words !== undefined) return firstSentence(words);
  if (manifest === undefined) return undefined;
  const names = manifest.tools.map(({ name }) => name);
  if (names.length === 0) return undefined;
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  return `${names.slice(0, NAMES_MAX).join(', ')}${more}`.slice(0, CHARS_MAX);
}

function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?](?:\s|$)/);
  const sentence = end > 0 ? line.slice(0, end + 1) : line;
  return sentence.length > CHARS_MAX ? `${sentence.slice(0, CHARS_MAX).trimEnd()} …` : sentence;
}
