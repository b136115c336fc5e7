import type { FoundModels, OfferedRequest } from '../hub.ts';

const LM_STUDIO = 'http://127.0.0.1:1234/v1';
const OLLAMA_PORT = '11434';

/** Programs that run models on this machine and listen where they usually do, with the models that they have. */
export async function localModels(
  env: Readonly<Record<string, string | undefined>>,
  offered: (request: OfferedRequest) => Promise<readonly string[]>,
): Promise<readonly FoundModels[]> {
  const places = [
    { program: 'Ollama', url: ollamaAddress(env['OLLAMA_HOST']) },
    { program: 'LM Studio', url: LM_STUDIO },
  ];
  // One that is not there refuses the connection: that is no failure.
  const answers = await Promise.allSettled(
    places.map(async ({ program, url }): Promise<FoundModels> => ({
      program,
      url,
      models: await offered({ provider: 'compatible', url }),
    })),
  );
  return answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value.models.length > 0 ? [answer.value] : [],
  );
}

/** `OLLAMA_HOST` says where it listens, as Ollama reads it; only its port is taken, as it is asked for on this machine. */
function ollamaAddress(host: string | undefined): string {
  const port = /:(\d{1,5})\/?$/.exec(host ?? '')?.[1] ?? OLLAMA_PORT;
  return `http://127.0.0.1:${port}/v1`;
}
