import { expect, test } from 'vitest';
import { readAddress } from './open.ts';

test('an address is shown without user and password', () => {
  expect(readAddress('postgres://me:s%40crt@db.example:6543/plug?sslmode=require')).toEqual({
    shown: 'postgres://db.example:6543/plug',
    secrets: ['s%40crt', 's@crt'],
  });
  expect(readAddress('postgresql:///plug?host=/run/pg').shown).toBe('postgres:///run/pg/plug');
  expect(readAddress('postgres://localhost/plug?password=x%25').secrets).toEqual(['x%']);
});

test('an address whose password is not encoded is refused without a word of it', () => {
  const addresses = [
    'postgres://me:12/hidden@db.example/plug',
    'postgres://me:12?hidden@db.example/plug',
    'postgres://me:12#hidden@db.example/plug',
    'postgres://me:hidden#@db.example/plug',
    'hidden',
    '',
  ];
  for (const address of addresses) {
    expect(() => readAddress(address)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('hidden') }),
    );
  }
});
