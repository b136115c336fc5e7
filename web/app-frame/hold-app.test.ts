import { expect, test } from 'vitest';
import { frameRenamer, underPolicy } from './hold-app.ts';

const renamed = frameRenamer();

test('the policy stands first, then what holds the app, then its text without frames', () => {
  const held = underPolicy('<b>x</b><iframe>', "default-src 'none'");
  expect(held).toMatch(
    /^<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><script>/,
  );
  expect(held.endsWith('</script><b>x</b><x-iframe>')).toBe(true);
  // One script, which nothing in its own text ends early.
  expect(held.match(/<\/?script|<!--/g)).toEqual(['<script', '</script']);
});

test('frames get a name that means nothing, and everything else stays as it is', () => {
  expect(renamed('<p>1 < 2</p><IFRAME srcdoc="x"></iframe>')).toBe(
    '<p>1 < 2</p><x-IFRAME srcdoc="x"></iframe>',
  );
  for (const name of ['frame', 'frameset', 'fencedframe', 'object', 'embed', 'portal']) {
    expect(renamed(`<${name}\f>`)).toBe(`<x-${name}\f>`);
  }
  expect(renamed('<!doctype html><b>framed</b><a><!-- c -->')).toBe(
    '<!doctype html><b>framed</b><a><!-- c -->',
  );
});

test('a prefix of XML, an odd start and an entity do not hide a frame', () => {
  // The name that follows the prefix is changed: the prefix could be declared under any name.
  expect(renamed('<h:iframe xmlns:h="x"/>')).toBe('<h:x-iframe xmlns:h="x"/>');
  expect(renamed('<a<iframe>')).toBe('<a<x-iframe>');
  expect(renamed('<!DOCTYPE x [<!ENTITY e "f">]>')).toBe('<!DOCTYPE x [<x-!ENTITY e "f">]>');
});

test('a name that ends with the text is no longer one, so that nothing can continue it', () => {
  expect(renamed('a<ifr')).toBe('a&lt;ifr');
  expect(renamed('a<')).toBe('a&lt;');
  expect(renamed('a<iframe')).toBe('a&lt;iframe');
  expect(renamed('a<iframe ')).toBe('a<x-iframe ');
});
