import { toPlugError } from '../../base/errors.ts';
import type { DoctorRow, ModelView } from '../hub.ts';
import { modelsOf } from '../models/models-api.ts';
import { doctorLimits } from './limits.ts';
import type { Examination } from './checked-server.ts';
import { count, fail, pass, skip, warn } from './rows.ts';

/** The rules file: with a mistake in it, older rules are in force than the ones that stand there. */
export function lookAtRules({ core }: Examination): readonly DoctorRow[] {
  const { file, exists, rules, problems } = core.decisions.rules.view();
  const first = problems[0];
  if (first) {
    const says = `${file}, line ${first.line}, column ${first.column}: ${first.message}`;
    const details = problems
      .slice(1, doctorLimits.detailsShown)
      .map((one) => `line ${one.line}: ${one.message}`);
    const held = 'the rules that were read last stay in force';
    return [
      fail('rules', says, {
        cause: 'bad_config',
        owner: 'you',
        remedy: { do: 'check-rules' },
        details: [...details, held],
      }),
    ];
  }
  return [
    pass('rules', exists ? `${file}: ${count(rules.length, 'rule')}.` : 'No rules file; the defaults hold.'),
  ];
}

/** Models that chat can use: none is needed for anything else. */
export async function lookAtModels({ core }: Examination): Promise<readonly DoctorRow[]> {
  let models: readonly ModelView[];
  try {
    models = await modelsOf(core).list({}, {});
  } catch (error) {
    return [skip('models', toPlugError(error).message)];
  }
  if (models.length === 0) return [pass('models', 'None is set up; only plug chat needs one.')];
  const keyless = models.filter(({ hasKey, provider }) => !hasKey && provider !== 'compatible');
  if (keyless.length === 0)
    return [pass('models', `${models.map(({ name }) => name).join(', ')}, each with what it needs.`)];
  return keyless.map(({ name, provider, model }) =>
    warn('models', `${name} has no key for ${provider}.`, {
      cause: 'missing_input',
      owner: 'you',
      remedy: { do: 'add-model', name, provider, model },
    }),
  );
}
