import { openPlugboard, PlugError } from '../../src/index.ts';

await using hub = await openPlugboard({
  // Servers may ask their host something in the middle of a call. Only what is given here is offered.
  handlers: { roots: async () => ({ roots: [{ uri: 'file:///tmp', name: 'scratch' }] }) },
});

const ended = new AbortController();
const watching = (async () => {
  for await (const event of hub.watch({ signal: ended.signal })) console.log(event.kind);
})();

try {
  await hub.tools.call(
    { tool: 'everything/trigger-long-running-operation', args: { duration: 1, steps: 2 } },
    {
      signal: AbortSignal.timeout(30_000),
      onProgress: ({ progress, total }) => console.log(`${progress} of ${total}`),
    },
  );
} catch (error) {
  if (!(error instanceof PlugError)) throw error;
  // Branch on the code, never on the message.
  console.log(error.code, error.owner, error.next);
}
ended.abort();
await watching;
