import type { Analyser } from './analyse.ts';
import { schemaWords, type ToolDocument } from './document.ts';
import { firstSentence } from './first-sentence.ts';
import { FIRST_IN_NAME, IMPACT_MAX, IN_NAME } from './postings.ts';
import { fields, weights, type Field } from './weights.ts';

/**
 * How much each term says about a tool: BM25F's frequencies, summed over the fields and saturated. The
 * terms of its name are marked.
 */
export function weigh(document: ToolDocument, analyser: Analyser): ReadonlyMap<string, number> {
  const texts = textsOf(document);
  const frequencies = new Map<string, number>();
  for (const { field, weight, b, usualTerms } of fields) {
    const text = texts[field];
    const terms = field === 'serverDescription' ? analyser.repeatedTerms(text) : analyser.terms(text);
    const share = weight / (1 - b + (b * terms.length) / usualTerms);
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
  }
  for (const [term, frequency] of frequencies) {
    const impact = Math.round((IMPACT_MAX * frequency) / (weights.k1 + frequency));
    frequencies.set(term, Math.max(1, impact));
  }
  for (const [place, term] of analyser.terms(texts.name).entries()) {
    const mark = place === 0 ? IN_NAME | FIRST_IN_NAME : IN_NAME;
    frequencies.set(term, (frequencies.get(term) ?? 0) | mark);
  }
  return frequencies;
}

function textsOf(document: ToolDocument): Readonly<Record<Field, string>> {
  const { names, texts } = schemaWords(document.inputSchema);
  return {
    name: document.name,
    title: document.title ?? '',
    firstSentence: firstSentence(document.description ?? ''),
    description: document.description ?? '',
    parameterNames: names,
    parameterTexts: texts,
    serverName: document.server,
    serverDescription: document.serverDescription ?? '',
  };
}
