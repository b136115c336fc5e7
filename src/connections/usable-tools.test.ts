import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { linkLimits } from './limits.ts';
import { usableTools } from './fetch-manifest.ts';

verifies(
  ['C3', 'attack:E16'],
  'a description of megabytes is cut, a definition of megabytes set aside, and both are said',
  () => {
    const problems: string[] = [];
    const inputSchema = { type: 'object' };
    const honest = { name: 'honest', description: 'x'.repeat(linkLimits.descriptionCharsMax), inputSchema };
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const taken = usableTools(
      [
        honest,
        { name: 'deep', inputSchema: deep },
        { name: 'wordy', description: 'word '.repeat(1_000_000), inputSchema },
        { name: 'wide', inputSchema: { type: 'object', description: 'x'.repeat(5_000_000) } },
        { name: 'n'.repeat(5_000_000), inputSchema },
      ],
      { problems, http: false },
    );
    expect(taken.map(({ name }) => name)).toEqual(['honest', 'wordy']);
    expect(taken[0]).toBe(honest);
    expect(taken[1]).toHaveProperty('description.length', linkLimits.descriptionCharsMax + 1);
    expect(problems).toEqual([
      'The tool “deep” was set aside: its definition is nested too deeply.',
      'The description of the tool “wordy” was cut: it has more than 65536 characters.',
      'The tool “wide” was set aside: its definition has more than 1048576 characters.',
      expect.stringMatching(/^The tool “n{100}” was set aside/),
    ]);
  },
);

verifies(
  ['C3', 'attack:E13'],
  'a tool whose declared headers could forge others is set aside over HTTP, with its reason',
  () => {
    const named = (name: string, header: unknown, other = 'b'): object => ({
      name,
      inputSchema: {
        type: 'object',
        properties: {
          a: { type: 'string', 'x-mcp-header': header },
          [other]: { type: 'string', 'x-mcp-header': name === 'twice' ? header : 'Other' },
        },
      },
    });
    const tools = [
      named('breaks', 'A\r\nX-Evil: 1'),
      named('twice', 'Same'),
      named('good', 'Region'),
    ] as Parameters<typeof usableTools>[0];
    const problems: string[] = [];
    expect(usableTools(tools, { problems, http: true }).map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([
      expect.stringMatching(/^The tool “breaks” was set aside: /),
      expect.stringMatching(/^The tool “twice” was set aside: /),
    ]);
    expect(usableTools(tools, { problems: [], http: false })).toHaveLength(3);
  },
);
