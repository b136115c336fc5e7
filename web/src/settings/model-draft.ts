import type { ModelProvider, NewModel } from '../hub/hub-context.tsx';

/** A model as it stands in the form: texts, some of them empty. */
export interface ModelDraft {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly model: string;
  readonly url: string;
  readonly key: string;
  readonly input: string;
  readonly output: string;
  /** Not asked for here, and kept. */
  readonly contextTokens: number | undefined;
}

export function modelOf({
  name,
  provider,
  model,
  url,
  key,
  input,
  output,
  contextTokens,
}: ModelDraft): NewModel {
  const price = { input: Number(input), output: Number(output) };
  const hasPrice = input.trim() !== '' && output.trim() !== '' && price.input >= 0 && price.output >= 0;
  return {
    name: name.trim(),
    provider,
    model: model.trim(),
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    ...(key === '' ? {} : { key }),
    ...(hasPrice ? { price } : {}),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
}

/** A short name for a model, such as `sonnet-5` for `claude-sonnet-5-20260801`. */
export function shortName(model: string): string {
  const last = model.split(/[/:]/)[0] === model ? model : (model.split('/').at(-1) ?? model);
  return last
    .replace(/^(models|claude|gpt)[-/]/, '')
    .replace(/[-@:]\d{8}$/, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .toLowerCase()
    .slice(0, 32);
}
